"""`cdp send`: sends one command to the browser or to a target, and prints the answer."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import click

from cdp_protocol.cli import output
from cdp_protocol.cli.commands.help import explain
from cdp_protocol.cli.event_domains import enable
from cdp_protocol.cli.options import json_paths, name_completion, parameters, target_choice
from cdp_protocol.cli.options.browser_options import (
    BrowserChoice,
    browser_options,
    pass_choice,
    target_option,
)
from cdp_protocol.cli.protocol_source import description_of
from cdp_protocol.cli.run_command import CALLED_WRONGLY, Failure, run

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
    "method", required=False, metavar="DOMAIN.METHOD", shell_complete=name_completion.commands
)
@click.argument("words", nargs=-1, metavar="[PARAMETERS]")
@target_option("the browser, or its only page")
@click.option(
    "--json", "--compact", "compact", is_flag=True, help="The answer as JSON on one line."
)
@click.option(
    "--select",
    metavar="PATH",
    help="Only what stands there in the answer, texts without quotes: result.value",
)
@click.option(
    "--wait",
    metavar="DOMAIN.EVENT",
    shell_complete=name_completion.events,
    help="Wait for that event too, and print it after the answer.",
)
@click.option(
    "--no-check", "unchecked", is_flag=True, help="Send it even if the protocol knows better."
)
@browser_options
@click.option(
    "-h",
    "--help",
    "helps",
    is_flag=True,
    help="Show this, or what the protocol says of a method that is named.",
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
    helps: bool,
    **options: Any,
) -> None:
    """Send a command and print what the browser answers.

    Parameters are JSON ('{"url": "about:blank"}'), words such as url=about:blank, or - for JSON on
    stdin. They are checked against the protocol before anything is sent.
    """
    if helps:
        output.write_text(explain(method) if method else context.get_help().rstrip())
    elif method is None:
        raise click.UsageError("Say which command to send, such as Browser.getVersion.")
    else:
        # stdin is read before the connection opens, because a person may type slowly.
        given = sys.stdin.buffer.read() if parameters.STDIN in words else b""
        run(_send(choice, method, words, given, **options))


async def _send(
    choice: BrowserChoice,
    method: str,
    words: tuple[str, ...],
    given: bytes,
    *,
    target: str | None,
    compact: bool,
    select: str | None,
    wait: str | None,
    unchecked: bool,
) -> None:
    async with choice.open() as browser:
        description = await description_of(browser, choice)
        params = _read(method, words, given, description)
        if not unchecked:
            _check(method, params, wait, description)

        async def act(session: Session) -> tuple[Json, Json | None]:
            if wait is None:
                return await session.send(method, params), None
            await enable(session, [wait], description)
            async with session.expect(wait) as event:
                return await session.send(method, params), await event

        answer, event = await target_choice.where_it_belongs(browser, target, act)
    _print(answer, compact=compact, select=select)
    if event is not None:
        _print({"method": wait, "params": event}, compact=compact)


def _read(method: str, words: tuple[str, ...], given: bytes, description: Description) -> Json:
    try:
        return parameters.read(method, words, description, given=given)
    except parameters.ParameterError as error:
        raise Failure(str(error), CALLED_WRONGLY) from None


def _check(method: str, params: Json, wait: str | None, description: Description) -> None:
    problems = description.problems(method, params)
    if wait is not None and description.event(wait) is None:
        near = " or ".join(description.suggest(wait, description.events()))
        problems.append(f"{wait} is no event.{f' Did you mean {near}?' if near else ''}")
    if not problems:
        return
    known = description.command(method) is not None
    see = f"`cdp help {method}` tells what it takes; " if known else ""
    problems.append(
        f"Nothing was sent. {see[:1].upper()}{see[1:]}{'-' * 2}no-check sends it all the same."
    )
    raise Failure("\n".join(problems), CALLED_WRONGLY)


def _print(answer: Mapping[str, Any], *, compact: bool, select: str | None = None) -> None:
    if select is None:
        output.write_json(answer, pretty=not compact)
        return
    found = list(json_paths.found_at(answer, select))
    if not found:
        has = ", ".join(answer) or "nothing"
        raise Failure(f'The answer has nothing at "{select}"; it has {has}.')
    for value in found:
        output.write_text(json_paths.text_of(value))
