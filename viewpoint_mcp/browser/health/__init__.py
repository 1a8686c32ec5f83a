"""Whether the browser still works: the watchdog, the idle timer, and the words for its loss.

The supervisor uses it. It knows no tabs and no contexts.
"""
