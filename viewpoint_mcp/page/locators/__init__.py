"""Playwright locators on a page: the search through frames, their generation, and verifications.

Tools use `ElementLookup.test_support` and `Page.find_element`. Generation and verification are
imported when a test needs them.
"""
