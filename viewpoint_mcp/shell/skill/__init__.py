"""The guide of `viewpoint` for coding agents, and the stub of it that coding agents find.

Only the client imports it, for `viewpoint skill` and `viewpoint install --skills`.
"""
