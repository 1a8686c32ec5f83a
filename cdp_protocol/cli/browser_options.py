"""Which browser a command speaks to: the options that `cdp` and each of its commands take."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, TypeVar

import click

if TYPE_CHECKING:
    from cdp_protocol.browser import Browser
    from cdp_protocol.opening import Opening

F = TypeVar("F", bound=Callable[..., Any])

DEFAULT_ENDPOINT = "http://127.0.0.1:9222"

_HEADER = re.compile(r"(?P<name>[!#$%&'*+.^_`|~0-9A-Za-z-]+):[ \t]*(?P<value>[^\r\n\0]*)")


@dataclass(frozen=True, slots=True)
class BrowserChoice:
    """Which browser, and how long it may take to answer.

    Attributes:
        endpoint: `ws(s)://`, `http(s)://`, `host:port`, or a port.
        headers: Sent with every request that opens the connection.
        timeout: Seconds, of the opening and of each command.
    """

    endpoint: str = DEFAULT_ENDPOINT
    headers: Mapping[str, str] = field(default_factory=dict)
    timeout: float = 30.0

    def open(self) -> Opening[Browser]:
        """Connect to the browser, and let go of it in the end; see `cdp_protocol.connect`."""
        from cdp_protocol.attach import connect

        return connect(self.endpoint, headers=self.headers, timeout=self.timeout)


pass_choice = click.make_pass_decorator(BrowserChoice, ensure=True)
"""Hands a command its BrowserChoice, as the first argument."""


def browser_options(command: F) -> F:
    """Declare the options of a command that needs a browser; see `pass_choice`."""
    return _declare(command, environment=None)


def group_options(command: F) -> F:
    """Declare the same options before the command's name, where the environment counts too."""
    return _declare(command, environment="CDP_ENDPOINT")


def _declare(command: F, *, environment: str | None) -> F:
    declarations = (
        click.option(
            "-e",
            "--endpoint",
            metavar="ADDRESS",
            envvar=environment,
            help=f"Where the browser is: an http, https, ws or wss address, host:port, or a port. "
            f"[CDP_ENDPOINT; default: {DEFAULT_ENDPOINT}]",
            expose_value=False,
            callback=_note,
        ),
        click.option(
            "--header",
            "headers",
            metavar="'NAME: VALUE'",
            multiple=True,
            help="Sent when the connection is opened; may be repeated.",
            expose_value=False,
            callback=_note_headers,
        ),
        click.option(
            "--timeout",
            metavar="SECONDS",
            type=click.FloatRange(min=0, min_open=True),
            help="How long the opening, and each command, may take. [default: 30]",
            expose_value=False,
            callback=_note,
        ),
    )
    for declare in reversed(declarations):
        command = declare(command)
    return command


def _note(context: click.Context, option: click.Parameter, value: object) -> None:
    """Keep what was given; what was not leaves the choice made before the command's name."""
    if value is not None and option.name:
        choice = context.obj or BrowserChoice()
        context.obj = replace(choice, **{option.name: value})


def _note_headers(context: click.Context, _option: click.Parameter, value: tuple[str, ...]) -> None:
    if not value:
        return
    headers = {}
    for each in value:
        if (match := _HEADER.fullmatch(each)) is None:
            # Not shown: it may hold a password.
            raise click.BadParameter('one is not a header; write it as "Name: value".')
        headers[match["name"]] = match["value"].strip()
    choice = context.obj or BrowserChoice()
    context.obj = replace(choice, headers={**choice.headers, **headers})
