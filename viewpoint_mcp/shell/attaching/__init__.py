"""Commands in the sessions of MCP clients, for the servers that `viewpoint-mcp` starts.

The package serves requests over HTTP and over a Unix socket. It knows nothing of the background
server of the shell, and is imported only with `--shell`.
"""
