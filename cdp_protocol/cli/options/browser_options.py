"""Which browser a command speaks to: the options that `cdp` and each of its commands take."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, TypeVar

import click

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

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
        launched: Whether a browser is started for this command; then `endpoint` counts nothing.
    """

    endpoint: str = DEFAULT_ENDPOINT
    headers: Mapping[str, str] = field(default_factory=dict)
    timeout: float = 30.0
    launched: bool = False

    def open(self) -> Opening[Browser]:
        """Connect to the browser or launch one, and let go of it in the end; see `cdp_protocol`."""
        from cdp_protocol import connect, launch

        if self.launched:
            return launch(timeout=self.timeout)
        return connect(self.endpoint, headers=self.headers, timeout=self.timeout)


pass_choice = click.make_pass_decorator(BrowserChoice, ensure=True)
"""Hands a command its BrowserChoice, as the first argument."""


def browser_options(command: F) -> F:
    """Declare the options of a command that needs a browser; see `pass_choice`."""
    return _declare(command, environment=None)


def group_options(command: F) -> F:
    """Declare the same options before the command's name, where the environment counts too."""
    return _declare(command, environment="CDP_ENDPOINT")


def target_option(otherwise: str) -> Callable[[F], F]:
    """Declare the option that names a target; `choosing.choose` reads it.

    Args:
        otherwise: Which one it is when the option is left out.
    """
    return click.option(
        "-t",
        "--target",
        metavar="WHICH",
        help="A target by its number in `cdp targets`, by id or the beginning of it, or by a part"
        f" of its URL or title; 'browser' for the browser itself. [default: {otherwise}]",
        shell_complete=_complete_target,
    )


def _complete_target(
    context: click.Context, _option: click.Parameter, begun: str
) -> list[CompletionItem]:
    """Complete the id of a target, if its browser answers at once; shells may show the title."""
    from cdp_protocol.cli.options.target_completion import target_names

    return target_names(context.obj or BrowserChoice(), begun)


def _declare(command: F, *, environment: str | None) -> F:
    declarations = (
        click.option(
            "-e",
            "--endpoint",
            metavar="ADDRESS",
            envvar=environment,
            help="Where the browser is: an http, https, ws or wss address, host:port, or a port."
            f" [CDP_ENDPOINT; default: {DEFAULT_ENDPOINT}]",
            callback=_note,
            expose_value=False,
        ),
        click.option(
            "--header",
            "headers",
            metavar="'NAME: VALUE'",
            multiple=True,
            help="Sent when the connection is opened; may be repeated.",
            callback=_note_headers,
            expose_value=False,
        ),
        click.option(
            "--timeout",
            metavar="SECONDS",
            type=click.FloatRange(min=0, min_open=True),
            help="How long the opening, and each command, may take. [default: 30]",
            callback=_note,
            expose_value=False,
        ),
        _LAUNCH,
        _VERBOSE,
    )
    for declare in reversed(declarations):
        command = declare(command)
    return command


def _note(context: click.Context, option: click.Parameter, value: object) -> None:
    """Keep what was given; what was not leaves the choice made before the command's name."""
    if value is not None and option.name:
        choice = context.obj or BrowserChoice()
        context.obj = replace(choice, **{option.name: value})


def _note_launch(context: click.Context, _option: click.Parameter, is_wanted: bool) -> None:
    if is_wanted:
        context.obj = replace(context.obj or BrowserChoice(), launched=True)


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


def _show_messages(_context: click.Context, _option: click.Parameter, is_wanted: bool) -> None:
    if is_wanted:
        import logging

        log = logging.getLogger("cdp_protocol.wire")
        if not log.handlers:
            log.addHandler(logging.StreamHandler())
        log.setLevel(logging.DEBUG)


_VERBOSE = click.option(
    "-v",
    "--verbose",
    is_flag=True,
    help="Show on stderr, in short, every message that is sent and received.",
    callback=_show_messages,
    expose_value=False,
)

_LAUNCH = click.option(
    "--launch",
    is_flag=True,
    help="Start a browser without a window for this command, and end it with it; CHROMIUM_PATH may"
    " name which.",
    callback=_note_launch,
    expose_value=False,
)
