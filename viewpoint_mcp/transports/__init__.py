"""The transports stdio and HTTP, which pass messages between a client and a dispatcher.

HTTP implements the rules that MCP has for this transport. Stdio needs no knowledge of MCP.
"""
