"""The command line `cdp`, with one module for each of its commands.

Only this package imports click. The library never imports this package.
"""
