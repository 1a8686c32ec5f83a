"""MCP on top of JSON-RPC: lifecycle, tools and content. Knows a runner, and no browser."""
