"""Tools that act on a page: mouse, keyboard, forms, files and dialogs.

The catalog lists them. The modules call `Page` and `Element`, and never use CDP.
"""
