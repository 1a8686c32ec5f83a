"""Runs the coroutine of a command, and turns errors into a message and an exit status."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Coroutine
from typing import TYPE_CHECKING, Any

import click

from cdp_protocol.errors import CallTimeout, CdpError, ProtocolError
from cdp_protocol.sanitize.terminal_escaping import escape_control_characters

if TYPE_CHECKING:
    from cdp_protocol.description import Description

EXIT_FAILED = 1
EXIT_USAGE = 2
EXIT_INTERRUPTED = 130  # the exit status of shells after Ctrl+C


class Failure(click.ClickException):
    """An error that ends a command with a message on stderr.

    Args:
        message: What failed, what was expected, and what to do next.
        status: The exit status.
    """

    def __init__(self, message: str, status: int = EXIT_FAILED) -> None:
        # The message may contain text from the browser.
        super().__init__("\n".join(map(escape_control_characters, message.split("\n"))))
        self.exit_code = status  # type: ignore[misc]  # click declares a class attribute


def run_command(
    main: Coroutine[Any, Any, None],
    *,
    error_status: int = EXIT_FAILED,
    interrupt_status: int = EXIT_INTERRUPTED,
) -> None:
    """Run the coroutine of a command to its end.

    Args:
        main: The coroutine.
        error_status: The exit status after a `CdpError`.
        interrupt_status: The exit status after Ctrl+C.
    """
    try:
        asyncio.run(main)
    except CdpError as error:
        raise Failure(describe_error(error), error_status) from error
    except KeyboardInterrupt:
        sys.exit(interrupt_status)


def describe_error(error: CdpError, description: Description | None = None) -> str:
    """Return the message of an error, with a hint from the protocol description if it has one.

    Args:
        error: The error.
        description: The description that the browser serves; None for the bundled one.
    """
    if not isinstance(error, ProtocolError | CallTimeout):
        return str(error)
    from cdp_protocol.description import Description

    hint = (description or Description.bundled()).hint(error)
    return f"{error} {hint}".rstrip()


def discard_stdout() -> None:
    """Redirect stdout to the null device, so that Python reports no error for it at its exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def print_note(message: str) -> None:
    """Print a message for people on stderr, apart from the data on stdout."""
    click.echo(f"cdp: {message}", err=True)
