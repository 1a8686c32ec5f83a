"""Launches Chromium, and removes its processes and its temporary profile at the end.

`cdp_protocol.launch` and `viewpoint_mcp.browser` use this package. It does not control pages.
"""
