"""Options and arguments that commands share: how they are parsed, matched and completed.

The commands and the REPL use this package. It prints nothing.
"""
