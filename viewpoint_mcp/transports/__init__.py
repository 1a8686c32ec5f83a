"""Ways for bytes to come in and go out. They know a dispatcher, and no MCP."""
