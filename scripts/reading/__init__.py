"""Tasks on real applications, replayed for each server, to measure how much an agent must read.

`make reading` runs them; docs/testing.md describes the figures.
"""
