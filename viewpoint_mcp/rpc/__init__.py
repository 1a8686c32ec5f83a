"""JSON-RPC 2.0 between two peers. Knows no MCP, no transport and nothing else of ours."""
