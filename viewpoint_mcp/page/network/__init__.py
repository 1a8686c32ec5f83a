"""Requests of a page since it was loaded, and their bodies on demand.

The network tools read them. Waiting for requests belongs to `settle`.
"""
