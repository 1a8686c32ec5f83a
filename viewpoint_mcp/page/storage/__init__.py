"""Web storage of a page: localStorage and sessionStorage of its main frame.

`Page` uses this package when a tool first needs it. It knows nothing of contexts and their files.
"""
