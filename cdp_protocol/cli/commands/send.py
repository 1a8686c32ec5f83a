"""`cdp send`: sends one command to the browser or to a target, and prints the response."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import click

from cdp_protocol.cli import output
from cdp_protocol.cli.commands.protocol_help import protocol_documentation
from cdp_protocol.cli.description_loading import load_description
from cdp_protocol.cli.event_enabling import enable_events
from cdp_protocol.cli.options import (
    cdp_parameters,
    json_paths,
    protocol_name_completion,
    target_selection,
)
from cdp_protocol.cli.options.browser_options import (
    BrowserChoice,
    browser_options,
    pass_choice,
    target_option,
)
from cdp_protocol.cli.run_command import EXIT_USAGE, Failure, run_command

if TYPE_CHECKING:
    from cdp_protocol.description import Description
    from cdp_protocol.session import Session

Json = dict[str, Any]


EXAMPLES = """\b
cdp send Browser.getVersion
cdp send Page.navigate url=https://example.org --wait Page.loadEventFired
cdp send Runtime.evaluate expression=document.title --select result.value
cdp send Page.navigate --help
"""


@click.command(add_help_option=False, epilog=EXAMPLES)
@click.argument(
    "method",
    required=False,
    metavar="DOMAIN.METHOD",
    shell_complete=protocol_name_completion.complete_commands,
)
@click.argument("words", nargs=-1, metavar="[PARAMETERS]")
@target_option("the browser, or its only page")
@click.option(
    "--json", "--compact", "compact", is_flag=True, help="Print the result as JSON on one line."
)
@click.option(
    "--select",
    metavar="PATH",
    help="Print only the values at this path of the result, such as result.value.",
)
@click.option(
    "--wait",
    metavar="DOMAIN.EVENT",
    shell_complete=protocol_name_completion.complete_events,
    help="Also wait for this event, and print it after the result.",
)
@click.option(
    "--no-check", "unchecked", is_flag=True, help="Send the command without checking it first."
)
@browser_options
@click.option(
    "-h",
    "--help",
    "show_help",
    is_flag=True,
    help="Show this help, or the documentation of the given method.",
)
@pass_choice
@click.pass_context
def send(
    context: click.Context,
    choice: BrowserChoice,
    /,
    *,
    method: str | None,
    words: tuple[str, ...],
    show_help: bool,
    **options: Any,
) -> None:
    """Send a command and print its result.

    Parameters are JSON ('{"url": "about:blank"}'), words such as url=about:blank, or - for JSON on
    stdin. They are checked against the protocol before the command is sent.
    """
    if show_help:
        output.write_text(protocol_documentation(method) if method else context.get_help().rstrip())
    elif method is None:
        raise click.UsageError("Name a command, such as Browser.getVersion.")
    else:
        # stdin is read before the connection opens, because a person may type slowly.
        stdin = sys.stdin.buffer.read() if cdp_parameters.STDIN_WORD in words else b""
        run_command(_send_and_print(choice, method, words, stdin, **options))


async def _send_and_print(
    choice: BrowserChoice,
    method: str,
    words: tuple[str, ...],
    stdin: bytes,
    *,
    target: str | None,
    compact: bool,
    select: str | None,
    wait: str | None,
    unchecked: bool,
) -> None:
    async with choice.open() as browser:
        description = await load_description(browser, choice)
        params = _parse_params(method, words, stdin, description)
        if not unchecked:
            _raise_if_command_has_mistakes(method, params, wait, description)

        async def send_and_await_event(session: Session) -> tuple[Json, Json | None]:
            if wait is None:
                return await session.send(method, params), None
            await enable_events(session, [wait], description)
            async with session.expect(wait) as event:
                return await session.send(method, params), await event

        result, event = await target_selection.run_on_target(browser, target, send_and_await_event)
    _print_result(result, compact=compact, select=select)
    if event is not None:
        _print_result({"method": wait, "params": event}, compact=compact)


def _parse_params(
    method: str, words: tuple[str, ...], stdin: bytes, description: Description
) -> Json:
    try:
        return cdp_parameters.parse_parameters(method, words, description, stdin=stdin)
    except cdp_parameters.ParameterError as error:
        raise Failure(str(error), EXIT_USAGE) from None


def _raise_if_command_has_mistakes(
    method: str, params: Json, wait: str | None, description: Description
) -> None:
    problems = description.problems(method, params)
    if wait is not None and description.event(wait) is None:
        similar = " or ".join(description.suggest(wait, description.events()))
        problems.append(f"{wait} is not an event.{f' Did you mean {similar}?' if similar else ''}")
    if not problems:
        return
    is_known = description.command(method) is not None
    advice = f"See `cdp help {method}`, or use" if is_known else "Use"
    problems.append(f"Nothing was sent. {advice} --no-check to send it anyway.")
    raise Failure("\n".join(problems), EXIT_USAGE)


def _print_result(result: Mapping[str, Any], *, compact: bool, select: str | None = None) -> None:
    if select is None:
        output.write_json(result, pretty=not compact)
        return
    values = list(json_paths.values_at(result, select))
    if not values:
        keys = ", ".join(result) or "nothing"
        raise Failure(f'The result has no "{select}". It has {keys}.')
    for value in values:
        output.write_text(json_paths.to_text(value))
