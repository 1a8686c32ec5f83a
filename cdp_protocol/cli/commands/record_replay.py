"""`cdp record` and `cdp replay`: record the messages of a browser, and replay a recording."""

from __future__ import annotations

import asyncio
import re
import signal
import sys
from collections.abc import Awaitable, Callable, Iterator
from contextlib import AsyncExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from cdp_protocol.cli import output
from cdp_protocol.cli.options.browser_options import BrowserChoice, browser_options, pass_choice
from cdp_protocol.cli.run_command import EXIT_USAGE, Failure, print_note, run_command
from cdp_protocol.sanitize.terminal_escaping import escape_control_characters

if TYPE_CHECKING:
    from cdp_protocol.recording.file_format import Recording
    from cdp_protocol.recording.recorder import Recorder
    from cdp_protocol.recording.replay import ReplayingBrowser

_PORT_SWITCH = "--remote-debugging-port="
_MAX_PORT = 65535

FILE_TYPE = click.Path(path_type=Path, dir_okay=False)
_PORT_OPTION = click.option(
    "--port",
    type=click.IntRange(0, _MAX_PORT),
    default=0,
    help="Port to listen on; 0 for any free port. [0]",
)
_ORIGINS_OPTION = click.option(
    "--allow-origin",
    "origins",
    metavar="ORIGIN",
    multiple=True,
    help="Web origin whose pages may connect, such as http://localhost:3000. May be repeated.",
)


@click.command()
@browser_options
@click.argument("file", type=FILE_TYPE)
@_PORT_OPTION
@_ORIGINS_OPTION
@click.option(
    "--secrets",
    type=FILE_TYPE,
    metavar="FILE",
    help="File of NAME=VALUE lines. Replaces each value in the recording, in any encoding, by"
    " <secret>NAME</secret>.",
)
@click.option("--keep-typed", is_flag=True, help="Keep typed text, which may be secret.")
@pass_choice
def record(
    choice: BrowserChoice,
    file: Path,
    *,
    port: int,
    origins: tuple[str, ...],
    secrets: Path | None,
    keep_typed: bool,
) -> None:
    """Record the messages of a browser and its clients.

    Writes JSON lines to FILE. Starts a proxy on loopback. Connect clients to the proxy instead of
    the browser. Masks values of cookies, credentials in headers, tokens and typed text.
    """
    from cdp_protocol.recording.masking import MessageMasker
    from cdp_protocol.recording.recorder import Recorder

    replacements = read_secret_replacements(secrets) if secrets is not None else {}
    try:
        recorder = Recorder(file, MessageMasker(replacements, keep_typed=keep_typed))
    except OSError as error:
        raise Failure(f"Cannot write {file}: {error.strerror}.") from error
    try:
        run_command(_record_chosen_browser(choice, recorder, port, origins))
    finally:
        recorder.close()
    if recorder.failure:
        raise Failure(f"The recording {file} ended early: {recorder.failure}.")


def read_secret_replacements(file: Path) -> dict[str, str]:
    """Read the values to mask in a recording from a file of NAME=VALUE lines.

    Returns:
        The replacement text of each value.

    Raises:
        BadParameter: The file cannot be read, or has lines of another form.
    """
    from cdp_protocol.sanitize.dotenv import parse_dotenv
    from cdp_protocol.sanitize.secret_value_patterns import (
        is_long_enough_to_mask,
        secret_placeholder,
    )

    try:
        values = parse_dotenv(file.read_text(encoding="utf-8-sig"))
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        if isinstance(error, UnicodeDecodeError):
            reason = "it is not UTF-8"
        text = f"Cannot read {file}: {reason}."
        raise click.BadParameter(text, param_hint="--secrets") from None
    too_short = [
        name for name, value in values.items() if value and not is_long_enough_to_mask(value)
    ]
    if too_short:
        print_note(f"--secrets: too short to mask: {', '.join(too_short)}.")
    return {
        value: secret_placeholder(name)
        for name, value in values.items()
        if is_long_enough_to_mask(value)
    }


async def _record_chosen_browser(
    choice: BrowserChoice, recorder: Recorder, port: int, origins: tuple[str, ...]
) -> None:
    async with AsyncExitStack() as stack:
        endpoint = choice.endpoint
        if choice.should_launch:
            endpoint = (await stack.enter_async_context(choice.open())).endpoint
        await _record_through_proxy(endpoint, choice, recorder, port, origins)


async def _record_through_proxy(
    endpoint: str,
    choice: BrowserChoice,
    recorder: Recorder,
    port: int,
    origins: tuple[str, ...],
) -> None:
    from cdp_protocol.recording.proxy import RecordingProxy, find_proxied_browser
    from cdp_protocol.recording.remote_debugging_server import run_debug_server

    browser = await find_proxied_browser(endpoint, choice.headers, timeout=choice.timeout)
    proxy = RecordingProxy(browser, recorder)
    with _explaining_port_errors(port):
        async with run_debug_server(proxy, port=port, allowed_origins=origins) as bound_port:
            proxy.write_header()  # Not earlier: if serving fails, an existing file stays.
            product = escape_control_characters(browser.product or "a browser")
            output.write_line(
                f"Recording {product} in {recorder.path}. Connect clients to "
                f"http://127.0.0.1:{bound_port}; Ctrl+C ends it."
            )
            await _wait_for_signal_or_any()
    recorder.close()
    output.write_line(f"{recorder.message_count} messages of {proxy.connection_count} connections.")


@click.command(context_settings={"ignore_unknown_options": True})
@click.argument("file", type=FILE_TYPE)
@click.argument("switches", nargs=-1, type=click.UNPROCESSED)
@_PORT_OPTION
@_ORIGINS_OPTION
@click.option(
    "--speed",
    type=click.FloatRange(min=0, min_open=True),
    metavar="FACTOR",
    help="1 for the recorded timing, 2 for twice as fast. [default: as fast as possible]",
)
@click.option(
    "--strict",
    is_flag=True,
    help="Exit with 1 if a command was not in the recording, or a recorded one was not sent.",
)
@click.option("--once", is_flag=True, help="End when a client disconnects.")
@click.option(
    "--as-browser",
    is_flag=True,
    help="Replace a browser executable: accept its SWITCHES, and use their port or pipe.",
)
def replay(
    file: Path,
    *,
    switches: tuple[str, ...],
    port: int,
    origins: tuple[str, ...],
    speed: float | None,
    strict: bool,
    once: bool,
    as_browser: bool,
) -> None:
    """Replay a recorded browser to a client.

    Answers each command like the same recorded command, or the most similar one. Reports the
    differences from the recording at the end.
    """
    from cdp_protocol.recording.replay import ReplayingBrowser

    if switches and not as_browser:
        raise click.UsageError(f'Unknown option "{switches[0]}". See --help.')
    recording = read_recording_file(file)

    async def replay_and_report() -> None:
        browser = ReplayingBrowser(recording, speed=speed, report_problem=_print_escaped_note)
        if as_browser:
            await _replay_as_launched_browser(browser, switches, origins)
        else:
            await _replay_on_port(browser, file, port, origins, once=once)
        for sentence in browser.describe_differences():
            _print_escaped_note(sentence)
        if strict and not browser.is_complete:
            sys.exit(1)

    run_command(replay_and_report())


async def _replay_on_port(
    browser: ReplayingBrowser, file: Path, port: int, origins: tuple[str, ...], *, once: bool
) -> None:
    from cdp_protocol.recording.remote_debugging_server import run_debug_server

    with _explaining_port_errors(port):
        async with run_debug_server(browser, port=port, allowed_origins=origins) as bound_port:
            output.write_line(
                f"Replaying {file}. Connect a client to http://127.0.0.1:{bound_port};"
                " Ctrl+C ends it."
            )
            await _wait_for_signal_or_any(*([browser.client_disconnected.wait] if once else []))


async def _replay_as_launched_browser(
    browser: ReplayingBrowser, switches: tuple[str, ...], origins: tuple[str, ...]
) -> None:
    from cdp_protocol.recording.remote_debugging_server import run_debug_server
    from cdp_protocol.recording.replay_clients import PipeClient

    ports = [each.removeprefix(_PORT_SWITCH) for each in switches if each.startswith(_PORT_SWITCH)]
    pipe = PipeClient() if "--remote-debugging-pipe" in switches else None
    ends = [
        browser.client_disconnected.wait,
        *([pipe.client_disconnected.wait] if pipe is not None else []),
    ]
    if pipe is not None and not ports:
        player = browser.create_player()
        assert player is not None
        task = asyncio.create_task(browser.play(player, pipe))
        try:
            await _wait_for_signal_or_any(
                pipe.client_disconnected.wait, lambda: asyncio.wait([task])
            )
        finally:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)
        return
    port = _parse_port(ports[-1]) if ports else 0
    with _explaining_port_errors(port):
        async with run_debug_server(browser, port=port, allowed_origins=origins) as bound_port:
            click.echo(
                f"DevTools listening on ws://127.0.0.1:{bound_port}{browser.browser_websocket_path}",
                err=True,
            )
            await _wait_for_signal_or_any(*ends)


def _parse_port(text: str) -> int:
    """Parse the port in the value of --remote-debugging-port."""
    if not re.fullmatch("[0-9]{1,5}", text) or int(text) > _MAX_PORT:
        switch = escape_control_characters(_PORT_SWITCH + text)
        raise Failure(f'Invalid port in "{switch}". Use 0 to {_MAX_PORT}.', EXIT_USAGE)
    return int(text)


def _print_escaped_note(sentence: str) -> None:
    print_note(escape_control_characters(sentence))


def read_recording_file(file: Path) -> Recording:
    """Read a recording, and report its unreadable lines on stderr.

    Raises:
        Failure: The file cannot be read, or is not a recording.
    """
    from cdp_protocol.recording.file_format import RecordingError, read_recording

    try:
        recording = read_recording(file)
    except RecordingError as error:
        raise Failure(str(error)) from error
    except OSError as error:
        raise Failure(f"Cannot read {file}: {error.strerror}.") from error
    for number in recording.unreadable_lines:
        _print_escaped_note(f"Skipped line {number}, which is unreadable.")
    if recording.damage:
        _print_escaped_note(recording.damage)
    return recording


@contextmanager
def _explaining_port_errors(port: int) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        reason = error.strerror or str(error)
        text = f"Cannot listen on port {port}: {reason}. Use another port."
        raise Failure(text) from error


async def _wait_for_signal_or_any(*conditions: Callable[[], Awaitable[object]]) -> None:
    """Wait for SIGINT, for SIGTERM, or until one of the awaitables has completed."""
    loop = asyncio.get_running_loop()
    stop_signal = asyncio.Event()
    numbers = [signal.SIGINT, signal.SIGTERM] if sys.platform != "win32" else []
    for number in numbers:
        loop.add_signal_handler(number, stop_signal.set)
    waits = [
        asyncio.ensure_future(wait_for_condition())
        for wait_for_condition in (stop_signal.wait, *conditions)
    ]
    try:
        await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
    except asyncio.CancelledError:
        # Without signal handlers, Ctrl+C cancels the task. This is the requested end.
        if (task := asyncio.current_task()) is not None:
            task.uncancel()
    finally:
        for number in numbers:
            loop.remove_signal_handler(number)
        for wait in waits:
            wait.cancel()
        await asyncio.gather(*waits, return_exceptions=True)
