"""Storage state of contexts: cookies, localStorage and IndexedDB in Playwright's file format.

Contexts and their tools use this package. It does not depend on tabs.
"""
