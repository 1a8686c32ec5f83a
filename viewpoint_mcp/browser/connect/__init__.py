"""Ways to get a browser: find its executable, launch it, or attach to one that already runs.

The supervisor and the doctor use this package. It does not depend on contexts, pages or clients.
"""
