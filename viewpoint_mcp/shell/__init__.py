"""The command `viewpoint`, which runs tools from a shell.

`client` is the process that the shell starts, and `server` the process in the background that keeps
the browser. Both use `endpoint` to find each other. Other packages do not import this one.
"""
