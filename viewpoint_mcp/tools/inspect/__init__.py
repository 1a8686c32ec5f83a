"""Tools that read a page: snapshots, pictures, PDF, console, network, scripts and waiting.

The catalog lists them. A module here declares tools that call `Page`, without CDP.
"""
