"""Tools for what lies around a page: navigation, tabs, contexts, emulation and the installation.

The catalog lists them. A module here declares tools that call `Page` and `Workspace`, without CDP.
"""
