"""Ways for bytes to come in and go out. They know a dispatcher, and of MCP what it says of
transports: over HTTP that is much, over stdio nothing.
"""
