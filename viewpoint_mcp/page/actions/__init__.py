"""Actions on elements and points of a page: click, type, select, fill in, drag, upload.

`Element`, `Page` and `page.mouse` delegate to these modules. The modules use frames and input, but
no tools or replies.
"""
