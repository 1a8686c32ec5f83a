"""Actions on elements and points of a page: click, type, select, fill in, drag, upload.

The tools call them with an `Element` or with coordinates; they know frames and input, but no tool
and no reply.
"""
