"""The diff of two snapshots of a page: compute it, and print it as YAML for replies.

This package works on trees of nodes. It does not access pages and does not apply budgets.
"""
