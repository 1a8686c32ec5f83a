"""Comparison of the tools with those of playwright-mcp and chrome-devtools-mcp.

`scripts/generate_docs.py` writes it to docs/comparison.md. The differences follow from the schemas;
`playwright_mcp.toml` and `chrome_devtools_mcp.toml` state the reasons.
"""
