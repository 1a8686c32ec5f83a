"""WebMCP: the tools that the documents of a page offer, and calls of them.

`Page.webmcp` is the entry. It exists with the capability `webmcp` only. All names, descriptions,
schemas and results here are text of the page; the tools layer marks and escapes them.
"""
