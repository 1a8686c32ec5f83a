"""Makes text safe to print: masks secrets, and escapes control characters for a terminal.

Recordings, the message log and the command line use this package. It does not depend on sessions.
"""
