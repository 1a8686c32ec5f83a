"""The agent's JavaScript: evaluates it in the page, and renders its result as text.

The evaluate tool uses this package. The server's scripts are in `inpage`.
"""
