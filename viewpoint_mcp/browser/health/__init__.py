"""Browser health: the watchdog, the idle timer, and the report of a lost browser.

The supervisor uses this package. It does not depend on tabs or contexts.
"""
