"""Settling: deciding what to wait for after an action, and waiting for it.

Actions and navigations use this package. It uses frames and CDP events, but no elements or tools.
"""
