"""Routes of a browser context: they abort, answer or change requests before the network.

`ContextNetwork` imports this package with the first route. It knows CDP sessions, but no pages.
"""
