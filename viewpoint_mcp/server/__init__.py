"""MCP on top of JSON-RPC: lifecycle, tools, resources, prompts and content blocks.

Calls the tools through the `Runner` interface and never imports the browser layers.
"""
