"""Runs a command's coroutine, and turns what goes wrong into a sentence and an exit status."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Coroutine
from typing import TYPE_CHECKING, Any

import click

from cdp_protocol.errors import CallTimeout, CdpError, ProtocolError
from cdp_protocol.sanitize.terminal import harmless

if TYPE_CHECKING:
    from cdp_protocol.description import Description

FAILED = 1
CALLED_WRONGLY = 2
INTERRUPTED = 130  # what shells give to a command that Ctrl+C ended


class Failure(click.ClickException):
    """What ends a command with a sentence on stderr.

    Args:
        message: What was wrong, what was expected, what to do next.
        status: The exit status.
    """

    def __init__(self, message: str, status: int = FAILED) -> None:
        # It may repeat what a browser said.
        super().__init__("\n".join(map(harmless, message.split("\n"))))
        self.exit_code = status  # type: ignore[misc]  # of the class only by declaration


def run(
    main: Coroutine[Any, Any, None], *, trouble: int = FAILED, stopped: int = INTERRUPTED
) -> None:
    """Run a command to its end.

    Args:
        trouble: The exit status when there is no browser, or it refuses.
        stopped: The exit status when Ctrl+C ended it.
    """
    try:
        asyncio.run(main)
    except CdpError as error:
        raise Failure(describe(error), trouble) from error
    except KeyboardInterrupt:
        sys.exit(stopped)


def describe(error: CdpError, description: Description | None = None) -> str:
    """Return an error as text, with what the description of the protocol knows about it.

    Args:
        description: The browser's own, where it is known; None for the bundled one.
    """
    if not isinstance(error, ProtocolError | CallTimeout):
        return str(error)
    from cdp_protocol.description import Description

    hint = (description or Description.bundled()).hint(error)
    return f"{error} {hint}".rstrip()


def forget_stdout() -> None:
    """Have nobody complain, at the exit, that stdout leads nowhere any more."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def note(message: str) -> None:
    """Tell people something beside the data, on stderr."""
    click.echo(f"cdp: {message}", err=True)
