"""Proxies of contexts: how they are written, what Chromium is told, and who gives credentials."""
