"""Requests of a page since it was loaded, their bodies on demand, and the network of a context.

The network tools read and control them. The package `settle` waits for requests.
"""
