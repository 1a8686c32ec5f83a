"""Requests of a page since it was loaded, and their bodies on demand.

The network tools read them. The package `settle` waits for requests.
"""
