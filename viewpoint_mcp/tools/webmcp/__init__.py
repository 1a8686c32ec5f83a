"""The tools that list and call what the page offers with WebMCP (`--caps webmcp`).

The page writes the names, descriptions, schemas and results of its tools. So they appear only in
replies, quoted and marked as text of the page, and never in tools/list.
"""
