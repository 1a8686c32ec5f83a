"""Readline, where there is one: completion with TAB, and a history that outlives the prompt."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from cdp_protocol.cli.repl.completion import Completer

HISTORY = "~/.cdp_history"
LINES = 2000


@contextmanager
def line_editing(completer: Completer) -> Iterator[None]:
    """Edit lines with it while in the block; not where nobody types, nor where there is none."""
    if sys.platform == "win32" or not sys.stdin.isatty():
        yield
        return
    try:
        import readline
    except ImportError:  # Python was built without readline.
        yield
        return
    found: list[str] = []

    def complete(begun: str, number: int) -> str | None:
        if number == 0:
            before = readline.get_line_buffer()[: readline.get_begidx()]
            found[:] = completer.matches(before, begun)
        return found[number] if number < len(found) else None

    readline.set_completer(complete)
    is_libedit = "libedit" in (readline.__doc__ or "")
    readline.parse_and_bind("bind ^I rl_complete" if is_libedit else "tab: complete")
    history = Path(HISTORY).expanduser()
    try:
        readline.read_history_file(history)
    except OSError:
        pass  # The file does not exist yet, or is not readable.
    readline.set_history_length(LINES)
    try:
        yield
    finally:
        try:
            readline.write_history_file(history)
        except OSError:
            pass
