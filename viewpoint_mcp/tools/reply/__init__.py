"""The pipeline from the result of a tool to the reply: `composer` describes its steps.

The executor uses it, and tools use `heading_escaping`, `file_saving` and `details` for their
results. It must not make CDP calls or import single tools.
"""
