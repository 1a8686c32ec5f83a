"""The difference between two snapshots of a page: compute it, and print it as YAML.

Replies use it. It knows trees of nodes, but no page and no budget.
"""
