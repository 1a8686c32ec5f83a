"""A long run of one server, which shows whether it or its browser grows.

`server` is the process that is observed, `phases` what it has to do, `observer` the readings,
`plot` the picture of them, and `__main__` the command.
"""
