"""The response to a command. The client imports this module, which uses the standard library."""

from __future__ import annotations

from typing import NamedTuple


class Response(NamedTuple):
    """What a command prints, and its exit status."""

    stdout: str
    stderr: str = ""
    status: int = 0
