"""Calls per second of CDP clients, side by side: cdp_protocol, a bare loop, and others."""
