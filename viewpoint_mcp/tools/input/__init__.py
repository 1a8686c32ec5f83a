"""Tools that act on a page: mouse, keyboard, forms, files and dialogs.

The catalog lists them. A module here declares tools that call `Page` and `Element`, without CDP.
"""
