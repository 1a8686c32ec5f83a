"""The options of `cdp` and of its commands that select a browser or a target."""

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
    """The selected browser, with the time limit of its answers.

    Attributes:
        endpoint: A `ws(s)://` or `http(s)://` address, `host:port`, or a port.
        headers: HTTP headers of every request that opens the connection.
        timeout: Limit in seconds for opening the connection, and for each CDP command.
        launched: Whether to launch a browser for this command and ignore `endpoint`.
    """

    endpoint: str = DEFAULT_ENDPOINT
    headers: Mapping[str, str] = field(default_factory=dict)
    timeout: float = 30.0
    launched: bool = False

    def open(self) -> Opening[Browser]:
        """Connect to the browser or launch one; see `cdp_protocol.connect` and `launch`."""
        from cdp_protocol import connect, launch

        if self.launched:
            return launch(timeout=self.timeout)
        return connect(self.endpoint, headers=self.headers, timeout=self.timeout)


pass_choice = click.make_pass_decorator(BrowserChoice, ensure=True)
"""Decorator that passes the BrowserChoice to a command as its first argument."""


def browser_options(command: F) -> F:
    """Add the options that select a browser to a command; see `pass_choice`."""
    return _declare(command, environment=None)


def group_options(command: F) -> F:
    """Add the same options to the group `cdp`, where CDP_ENDPOINT can set the endpoint too."""
    return _declare(command, environment="CDP_ENDPOINT")


def target_option(otherwise: str) -> Callable[[F], F]:
    """Return a decorator that adds the option --target; `target_choice.choose` finds the target.

    Args:
        otherwise: The default target, for the help text.
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
    """Complete the id of a target if the browser answers quickly. Shells may show its title."""
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
    """Store the value of an option. An omitted option keeps the value from before the command."""
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
            # The message does not quote the header, because it may contain a password.
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
