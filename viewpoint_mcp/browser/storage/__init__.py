"""Storage state of contexts: cookies, localStorage and IndexedDB, as Playwright's files have it.

Contexts and their tools use it. It knows no tab beyond the sessions it is given.
"""
