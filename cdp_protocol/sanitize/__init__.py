"""Makes text safe to show: masks secrets, and escapes control characters for a terminal.

Recordings, the message log and the command line use this package. It knows no session.
"""
