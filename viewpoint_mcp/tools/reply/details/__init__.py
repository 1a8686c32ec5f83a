"""Texts of single requests, headers, bodies, console messages and marks on a screenshot.

The tools of `inspect` put them into their results, and `browser_state` into events. They know no
tool and no reply.
"""
