"""Tabs of a browser: which exist, which context owns each, and how each gets its page.

`Browser` uses this package. It imports no tools and knows a client only as the owner of a tab.
"""
