"""`cdp listen`: prints the events of a target as they arrive."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import TYPE_CHECKING, Any

import click

from cdp_protocol.cli import output
from cdp_protocol.cli.description_loading import load_description
from cdp_protocol.cli.event_lines import target_type
from cdp_protocol.cli.event_listener import EventListener
from cdp_protocol.cli.options import event_patterns, protocol_name_completion, target_selection
from cdp_protocol.cli.options.browser_options import (
    BrowserChoice,
    browser_options,
    pass_choice,
    target_option,
)
from cdp_protocol.cli.options.json_paths import Condition
from cdp_protocol.cli.run_command import Failure, print_note, run_command
from cdp_protocol.sanitize.terminal_escaping import escape_control_characters

if TYPE_CHECKING:
    from cdp_protocol.session import Session


def _parse_conditions(
    _context: click.Context, _option: click.Parameter, texts: tuple[str, ...]
) -> tuple[Condition, ...]:
    try:
        return tuple(Condition.parse(each) for each in texts)
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
    shell_complete=protocol_name_completion.complete_events,
)
@target_option("the browser, or its only page")
@click.option("--all-targets", is_flag=True, help="Listen to all targets, including new ones.")
@click.option(
    "-w",
    "--where",
    "conditions",
    metavar="CONDITION",
    multiple=True,
    callback=_parse_conditions,
    help="Print only events that match: path=value, path~regex, path>=number, path, ~regex; != and"
    " !~ negate. May be repeated; an event must match all conditions.",
)
@click.option("-n", "--count", type=click.IntRange(min=1), help="End after this many events.")
@click.option(
    "--for",
    "seconds",
    metavar="SECONDS",
    type=click.FloatRange(min=0, min_open=True),
    help="End after this time. The exit status is 1 if --count was not reached.",
)
@click.option(
    "--json", "as_json", is_flag=True, help="Print complete events as JSON, one per line."
)
@browser_options
@pass_choice
def listen(choice: BrowserChoice, /, **options: Any) -> None:
    """Print events as they arrive, until Ctrl+C."""
    run_command(_listen_and_print(choice, **options), interrupt_status=0)


async def _listen_and_print(
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
        raise click.UsageError(
            "--target and --all-targets exclude each other. Use only one of them."
        )
    print_events = partial(_print_events, count=count, seconds=seconds, as_json=as_json)
    async with choice.open() as browser:
        description = await load_description(browser, choice)
        listener = EventListener(
            event_patterns.select_events(events, description), conditions, description
        )

        async def listen_and_print(session: Session) -> None:
            for domain in await listener.listen_to_session(session):
                print_note(
                    f"{domain} has no command to enable it. Other commands cause its events."
                )
            listener.fail_when_session_closes(session)
            await print_events(
                listener, f"{target_type(session)} {session.target_info.get('url', '')}"
            )

        if all_targets:
            listener.fail_when_session_closes(browser)
            async with listener.listening_to_all_targets(browser):
                await print_events(listener, "all targets")
        else:
            advice = "Choose one with --target, or listen to all with --all-targets"
            await target_selection.run_on_target(browser, target, listen_and_print, advice=advice)


async def _print_events(
    listener: EventListener,
    target_text: str,
    *,
    count: int | None,
    seconds: float | None,
    as_json: bool,
) -> None:
    """Print the received events until the count, the time limit or the end of stdout."""
    print_note(f"Listening to {escape_control_characters(target_text).rstrip()}; Ctrl+C ends it.")
    printed = 0
    try:
        async with listener.ending_with_stdout_reader(), asyncio.timeout(seconds):
            while (count is None or printed < count) and (event := await listener.next_event()):
                if as_json:
                    output.write_json(event.as_json())
                else:
                    output.write_line(
                        event.as_line(width=output.terminal_width(), colour=output.should_colour())
                    )
                printed += 1
    except TimeoutError:
        if count is not None:
            raise Failure(
                f"Only {printed} of {count} events arrived within {seconds:g} s."
            ) from None
