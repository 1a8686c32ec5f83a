"""Line editing with readline: completion with TAB, and a history that is kept in a file."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from cdp_protocol.cli.repl.completion import Completer

HISTORY_FILE = "~/.cdp_history"
MAX_HISTORY_LINES = 2000


@contextmanager
def line_editing(completer: Completer) -> Iterator[None]:
    """Enable readline during the block, if stdin is a terminal and readline is available."""
    if sys.platform == "win32" or not sys.stdin.isatty():
        yield
        return
    try:
        import readline
    except ImportError:  # Python was built without readline.
        yield
        return
    completions: list[str] = []

    def complete(word: str, number: int) -> str | None:
        if number == 0:
            text_before = readline.get_line_buffer()[: readline.get_begidx()]
            completions[:] = completer.complete(text_before, word)
        return completions[number] if number < len(completions) else None

    readline.set_completer(complete)
    is_libedit = "libedit" in (readline.__doc__ or "")
    readline.parse_and_bind("bind ^I rl_complete" if is_libedit else "tab: complete")
    history = Path(HISTORY_FILE).expanduser()
    try:
        readline.read_history_file(history)
    except OSError:
        pass  # The file does not exist yet, or is not readable.
    readline.set_history_length(MAX_HISTORY_LINES)
    try:
        yield
    finally:
        try:
            readline.write_history_file(history)
        except OSError:
            pass
