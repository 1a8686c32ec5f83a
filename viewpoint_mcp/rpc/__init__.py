"""JSON-RPC 2.0 between two peers.

The package depends neither on MCP, nor on a transport, nor on other packages of the project.
"""
