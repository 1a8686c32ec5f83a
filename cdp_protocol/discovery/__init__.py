"""Finds the WebSocket address of a running browser: from an address, a port or a profile directory.

`running_browser`, the launcher and the command line use this package. It opens no CDP connection.
"""
