"""Texts of single requests, headers, bodies, console messages and marks on a screenshot.

The tools of `inspect` use them in their results, and `browser_state` uses them in events. They
depend on no tool and no `Reply`.
"""
