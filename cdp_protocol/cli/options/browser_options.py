"""The options of `cdp` and of its commands that select a browser or a target."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, TypeVar

import click

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

    from cdp_protocol.awaitable_opening import Opening
    from cdp_protocol.browser import Browser

F = TypeVar("F", bound=Callable[..., Any])

DEFAULT_ENDPOINT = "http://127.0.0.1:9222"

_HEADER = re.compile(r"(?P<name>[!#$%&'*+.^_`|~0-9A-Za-z-]+):[ \t]*(?P<value>[^\r\n\0]*)")


@dataclass(frozen=True, slots=True)
class BrowserChoice:
    """The selected browser, with the time limit of its responses.

    Attributes:
        endpoint: A `ws(s)://` or `http(s)://` address, `host:port`, or a port.
        headers: HTTP headers of every request that opens the connection.
        timeout: Limit in seconds for opening the connection, and for each CDP command.
        should_launch: Whether to launch a browser for this command and ignore `endpoint`.
    """

    endpoint: str = DEFAULT_ENDPOINT
    headers: Mapping[str, str] = field(default_factory=dict)
    timeout: float = 30.0
    should_launch: bool = False

    def open(self) -> Opening[Browser]:
        """Connect to the browser or launch one; see `cdp_protocol.connect` and `launch`."""
        from cdp_protocol import connect, launch

        if self.should_launch:
            return launch(timeout=self.timeout)
        return connect(self.endpoint, headers=self.headers, timeout=self.timeout)


pass_choice = click.make_pass_decorator(BrowserChoice, ensure=True)
"""Decorator that passes the BrowserChoice to a command as its first argument."""


def browser_options(command: F) -> F:
    """Add the options that select a browser to a command; see `pass_choice`."""
    return _add_browser_options(command, endpoint_variable=None)


def browser_options_for_group(command: F) -> F:
    """Add the same options to the group `cdp`, where CDP_ENDPOINT can set the endpoint too."""
    return _add_browser_options(command, endpoint_variable="CDP_ENDPOINT")


def target_option(default_text: str) -> Callable[[F], F]:
    """Return a decorator that adds the option --target; see `target_selection.choose_target`.

    Args:
        default_text: The default target, for the help text.
    """
    return click.option(
        "-t",
        "--target",
        metavar="WHICH",
        help="Target: its number in `cdp targets`, its id or the beginning of the id, or a part of"
        f" its URL or title; 'browser' for the browser itself. [default: {default_text}]",
        shell_complete=_complete_target,
    )


def _complete_target(
    context: click.Context, _option: click.Parameter, prefix: str
) -> list[CompletionItem]:
    """Complete the id of a target if the browser answers quickly. Shells may show its title."""
    from cdp_protocol.cli.options.target_completion import complete_target_ids

    return complete_target_ids(context.obj or BrowserChoice(), prefix)


def _add_browser_options(command: F, *, endpoint_variable: str | None) -> F:
    options = (
        click.option(
            "-e",
            "--endpoint",
            metavar="ADDRESS",
            envvar=endpoint_variable,
            help="Address of the browser: an http, https, ws or wss address, host:port, or a port."
            f" [CDP_ENDPOINT; default: {DEFAULT_ENDPOINT}]",
            callback=_store_option,
            expose_value=False,
        ),
        click.option(
            "--header",
            "headers",
            metavar="'NAME: VALUE'",
            multiple=True,
            help="HTTP header of the opening requests. May be repeated.",
            callback=_store_headers,
            expose_value=False,
        ),
        click.option(
            "--timeout",
            metavar="SECONDS",
            type=click.FloatRange(min=0, min_open=True),
            help="Time limit of the opening, and of each command. [default: 30]",
            callback=_store_option,
            expose_value=False,
        ),
        _LAUNCH_OPTION,
        _VERBOSE_OPTION,
    )
    for add_option in reversed(options):
        command = add_option(command)
    return command


def _store_option(context: click.Context, option: click.Parameter, value: object) -> None:
    """Store the value of an option. An omitted option keeps the value from before the command."""
    if value is not None and option.name:
        choice = context.obj or BrowserChoice()
        context.obj = replace(choice, **{option.name: value})


def _store_launch(context: click.Context, _option: click.Parameter, is_wanted: bool) -> None:
    if is_wanted:
        context.obj = replace(context.obj or BrowserChoice(), should_launch=True)


def _store_headers(
    context: click.Context, _option: click.Parameter, value: tuple[str, ...]
) -> None:
    if not value:
        return
    headers = {}
    for text in value:
        if (match := _HEADER.fullmatch(text)) is None:
            # The message does not quote the header, because it may contain a password.
            raise click.BadParameter('a value is not a header. Write it as "Name: value".')
        headers[match["name"]] = match["value"].strip()
    choice = context.obj or BrowserChoice()
    context.obj = replace(choice, headers={**choice.headers, **headers})


def _enable_message_log(_context: click.Context, _option: click.Parameter, is_wanted: bool) -> None:
    if is_wanted:
        import logging

        log = logging.getLogger("cdp_protocol.wire")
        if not log.handlers:
            log.addHandler(logging.StreamHandler())
        log.setLevel(logging.DEBUG)


_VERBOSE_OPTION = click.option(
    "-v",
    "--verbose",
    is_flag=True,
    help="Print each sent and received message on stderr, shortened.",
    callback=_enable_message_log,
    expose_value=False,
)

_LAUNCH_OPTION = click.option(
    "--launch",
    is_flag=True,
    help="Launch a headless browser for this command, and close it afterwards. CHROMIUM_PATH"
    " selects the executable.",
    callback=_store_launch,
    expose_value=False,
)
