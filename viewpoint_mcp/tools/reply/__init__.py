"""Compose the reply to a tool call: its sections, its images and its links.

The executor uses it, and the tools whose result needs words of their own. It makes no CDP calls.
"""
