"""MCP on top of JSON-RPC: the handshake, tools, resources, prompts and content blocks.

Calls the tools through the `ToolRunner` interface and never imports the browser layers.
"""
