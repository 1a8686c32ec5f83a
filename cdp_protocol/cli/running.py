"""Runs a command's coroutine, and turns what goes wrong into a sentence and an exit status."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Coroutine
from typing import Any, NoReturn

import click

from cdp_protocol.errors import CdpError

FAILED = 1
INTERRUPTED = 130  # what shells give to a command that Ctrl+C ended


def run(main: Coroutine[Any, Any, None], *, trouble: int = FAILED) -> None:
    """Run a command to its end.

    Args:
        trouble: The exit status when there is no browser, or it refuses.
    """
    try:
        asyncio.run(main)
    except CdpError as error:
        fail(str(error), trouble)
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)


def fail(message: str, status: int = FAILED) -> NoReturn:
    """End the command with a sentence on stderr.

    Args:
        message: What was wrong, what was expected, what to do next.
    """
    click.echo(f"cdp: {message}", err=True)
    sys.exit(status)
