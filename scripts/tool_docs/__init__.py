"""The page docs/tools.md: descriptions from docstrings, and examples that were played.

`python -m scripts.tool_docs.player` plays the examples and writes replies.json.
`scripts/generate_docs.py` writes the page. It needs no browser.
"""
