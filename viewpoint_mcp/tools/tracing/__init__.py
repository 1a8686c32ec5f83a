"""Traces: the record of one client's calls with pictures, and the HTML report of it.

`call_observer` is the hook of the executor; the rest is imported when a trace starts. The tools of
a trace are in `tools/devtools/tracing.py`.
"""
