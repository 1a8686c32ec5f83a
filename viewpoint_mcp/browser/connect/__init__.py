"""Ways to a browser: find its executable, launch it, or attach to one that already runs.

The supervisor and the doctor use it. It knows no contexts, pages or clients.
"""
