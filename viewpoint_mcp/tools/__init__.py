"""The tools that a model may call.

`catalog` lists them. The packages `browser`, `input` and `inspect` declare them, one module per
group. `core` runs them, and `reply` composes their replies.
"""
