"""Many agents at once on one server, beside the same work by bare protocol calls.

`agents` does the work in both ways, `processes` reads the processor time, and `__main__` is the
command.
"""
