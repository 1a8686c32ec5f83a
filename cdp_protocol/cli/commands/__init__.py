"""The commands of `cdp`, one module each: send, listen, targets, record_replay, show, help, diff.

`cdp_protocol.cli.command` imports a command when it is called.
"""
