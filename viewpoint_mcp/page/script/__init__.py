"""Scripts that run in the page: the agent's JavaScript, whose result becomes text, and the start of
the `inpage` scripts in each document.

The evaluate tool and `Page` use this package. The server's scripts are in `inpage`.
"""
