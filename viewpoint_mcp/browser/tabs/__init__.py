"""Tabs of a browser: which exist, which context owns each, and how each gets its page.

`Browser` uses it. It knows no tool and no client beyond the owner of a tab.
"""
