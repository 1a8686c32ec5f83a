"""Servers put together, for the command line and for any program."""
