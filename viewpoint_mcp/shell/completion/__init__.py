"""Completion of `viewpoint` in bash, zsh and fish: the scripts, and the candidates for a Tab.

Only the client imports it, for `viewpoint completion`. `commands.json` derives from the tools, so
that no Tab has to import them. scripts/generate_docs.py writes it.
"""
