"""The commands of `cdp`, one module each: send, listen, targets, record_replay, show, help, diff.

`cdp_protocol.cli.command` imports each when it is called. A command knows no other command.
"""
