"""Settling: decide what to wait for after an action, and wait for it.

Actions and navigations use it. It knows frames and CDP events, but no element and no tool.
"""
