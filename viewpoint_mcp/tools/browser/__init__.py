"""Tools for navigation, tabs, contexts, emulation and the installation of a browser.

The catalog lists them. The modules call `Page` and `Workspace`, and never use CDP.
"""
