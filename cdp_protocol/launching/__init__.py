"""Launches a Chromium process and removes its processes and temporary profile at the end.

`cdp_protocol.launch` and the product's browser package use this package. It sends no commands.
"""
