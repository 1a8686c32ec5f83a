"""Tools that read a page: snapshots, screenshots, PDF, console, network, scripts and waiting.

The catalog lists them. The modules call `Page` and `Workspace`, and never use CDP.
"""
