"""The command line `cdp`: the protocol for people, one module for each of its commands.

The only place that knows click. The library never imports it.
"""
