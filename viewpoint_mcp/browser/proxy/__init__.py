"""Proxies of contexts: settings for Chromium, and relays that log in or filter origins."""
