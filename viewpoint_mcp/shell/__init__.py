"""The command `viewpoint`, which runs tools from a shell.

`client` is the process that the shell starts, and `background` the server that keeps the browser.
Both use `endpoint` to find each other. `commands` makes commands of tools and runs them, and
`attaching` runs them in the sessions of MCP clients. Other packages import `attaching` only, with
`--shell`.
"""
