"""`cdp listen`: prints the events of a target as they arrive."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import TYPE_CHECKING, Any

import click

from cdp_protocol.cli import output
from cdp_protocol.cli.event_lines import kind_of
from cdp_protocol.cli.event_listener import Hearing
from cdp_protocol.cli.options import event_patterns, name_completion, target_choice
from cdp_protocol.cli.options.browser_options import (
    BrowserChoice,
    browser_options,
    pass_choice,
    target_option,
)
from cdp_protocol.cli.options.json_paths import Condition
from cdp_protocol.cli.protocol_source import description_of
from cdp_protocol.cli.run_command import Failure, note, run
from cdp_protocol.sanitize.terminal import escape_control_characters

if TYPE_CHECKING:
    from cdp_protocol.session import Session


def _read_conditions(
    _context: click.Context, _option: click.Parameter, given: tuple[str, ...]
) -> tuple[Condition, ...]:
    try:
        return tuple(Condition.parse(each) for each in given)
    except ValueError as error:
        raise click.BadParameter(str(error)) from None


EXAMPLES = """\b
cdp listen Network
cdp listen Page.frameNavigated 'Network.*Received' --json
cdp listen Network.responseReceived --where 'response.status>=400' --all-targets
cdp listen Runtime.consoleAPICalled --where 'args.*.value~error' --count 1 --for 10
"""


@click.command(epilog=EXAMPLES)
@click.argument(
    "events",
    nargs=-1,
    required=True,
    metavar="DOMAIN[.EVENT]...",
    shell_complete=name_completion.events,
)
@target_option("the browser, or its only page")
@click.option("--all-targets", is_flag=True, help="Every target, and those that are still to come.")
@click.option(
    "-w",
    "--where",
    "conditions",
    metavar="CONDITION",
    multiple=True,
    callback=_read_conditions,
    help="Only events whose parameters are so: path=value, path~regex, path>=number, path, ~regex,"
    " and != and !~ for the opposite. May be repeated; all must hold.",
)
@click.option("-n", "--count", type=click.IntRange(min=1), help="End after so many events.")
@click.option(
    "--for",
    "seconds",
    metavar="SECONDS",
    type=click.FloatRange(min=0, min_open=True),
    help="End after that time; the exit status is 1 if --count was not reached.",
)
@click.option("--json", "as_json", is_flag=True, help="Whole, as JSON, one line for each event.")
@browser_options
@pass_choice
def listen(choice: BrowserChoice, /, **options: Any) -> None:
    """Print events as they come, until Ctrl+C."""
    run(_listen(choice, **options), stopped=0)


async def _listen(
    choice: BrowserChoice,
    *,
    events: tuple[str, ...],
    target: str | None,
    all_targets: bool,
    conditions: tuple[Condition, ...],
    count: int | None,
    seconds: float | None,
    as_json: bool,
) -> None:
    if target is not None and all_targets:
        raise click.UsageError("--target names one, --all-targets takes every one: leave one out.")
    show = partial(_show, count=count, seconds=seconds, as_json=as_json)
    async with choice.open() as browser:
        description = await description_of(browser, choice)
        hearing = Hearing(event_patterns.events(events, description), conditions, description)

        async def listen_to(session: Session) -> None:
            for domain in await hearing.begin(session):
                note(f"{domain} cannot be enabled: its events come when something sets them off.")
            hearing.end_with(session)
            await show(hearing, f"{kind_of(session)} {session.target_info.get('url', '')}")

        if all_targets:
            hearing.end_with(browser)
            async with hearing.following(browser):
                await show(hearing, "all targets")
        else:
            ways = "Name one with --target, or listen to all with --all-targets"
            await target_choice.where_it_belongs(browser, target, listen_to, ways=ways)


async def _show(
    hearing: Hearing, whom: str, *, count: int | None, seconds: float | None, as_json: bool
) -> None:
    """Print the received events until the count, the time limit or the end of stdout."""
    note(f"Listening to {escape_control_characters(whom).rstrip()}; Ctrl+C ends it.")
    shown = 0
    try:
        async with hearing.noticing_the_reader(), asyncio.timeout(seconds):
            while (count is None or shown < count) and (heard := await hearing.next()):
                if as_json:
                    output.write_json(heard.as_json())
                else:
                    output.write(heard.as_line(width=output.width(), colour=output.has_colour()))
                shown += 1
    except TimeoutError:
        if count is not None:
            raise Failure(f"Only {shown} of {count} events came in {seconds:g} s.") from None
