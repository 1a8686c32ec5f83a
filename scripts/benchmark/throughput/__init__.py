"""Calls per second of CDP clients, side by side: the client that is ours, a bare loop, others."""
