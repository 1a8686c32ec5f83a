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
from cdp_protocol.cli.run_command import CALLED_WRONGLY, Failure, note, run
from cdp_protocol.sanitize.terminal import escape_control_characters

if TYPE_CHECKING:
    from cdp_protocol.recording.format import Recording
    from cdp_protocol.recording.recorder import Recorder
    from cdp_protocol.recording.replay import ReplayingBrowser

_SWITCH = "--remote-debugging-port="
_LAST_PORT = 65535

FILE = click.Path(path_type=Path, dir_okay=False)
_PORT = click.option(
    "--port",
    type=click.IntRange(0, _LAST_PORT),
    default=0,
    help="Listened on; 0 for a free one. [0]",
)
_ORIGINS = click.option(
    "--allow-origin",
    "origins",
    metavar="ORIGIN",
    multiple=True,
    help="Let the pages of a web origin speak to it, such as http://localhost:3000.",
)


@click.command()
@browser_options
@click.argument("file", type=FILE)
@_PORT
@_ORIGINS
@click.option(
    "--secrets",
    type=FILE,
    metavar="FILE",
    help="File of NAME=VALUE lines. A value is left out of the recording, however it is written: "
    "<secret>NAME</secret> stands for it.",
)
@click.option("--keep-typed", is_flag=True, help="Keep the text that is typed; it may be secret.")
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
    """Record all that a browser and its clients say, in FILE, as JSON lines.

    Starts a proxy on loopback that clients are pointed at instead of the browser. Values of
    cookies, credentials in headers, tokens, and what is typed are left out.
    """
    from cdp_protocol.recording.masking import Masking
    from cdp_protocol.recording.recorder import Recorder

    named = read_secrets(secrets) if secrets is not None else {}
    try:
        recorder = Recorder(file, Masking(named, keep_typed=keep_typed))
    except OSError as error:
        raise Failure(f"{file} cannot be written: {error.strerror}.") from error
    try:
        run(_record(choice, recorder, port, origins))
    finally:
        recorder.close()
    if recorder.failed:
        raise Failure(f"The recording {file} ended early: {recorder.failed}.")


def read_secrets(file: Path) -> dict[str, str]:
    """Read the values to mask in a recording from a file of NAME=VALUE lines.

    Returns:
        The replacement text of each value.

    Raises:
        BadParameter: The file cannot be read, or has lines of another form.
    """
    from cdp_protocol.sanitize.secrets import is_maskable, parse_dotenv, secret_placeholder

    try:
        values = parse_dotenv(file.read_text(encoding="utf-8-sig"))
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        if isinstance(error, UnicodeDecodeError):
            reason = "it is not UTF-8"
        text = f"{file} cannot be used: {reason}."
        raise click.BadParameter(text, param_hint="--secrets") from None
    short = [name for name, value in values.items() if value and not is_maskable(value)]
    if short:
        note(f"--secrets: {', '.join(short)} are too short to be masked.")
    return {value: secret_placeholder(name) for name, value in values.items() if is_maskable(value)}


async def _record(
    choice: BrowserChoice, recorder: Recorder, port: int, origins: tuple[str, ...]
) -> None:
    async with AsyncExitStack() as stack:
        endpoint = choice.endpoint
        if choice.launched:
            endpoint = (await stack.enter_async_context(choice.open())).endpoint
        await _record_at(endpoint, choice, recorder, port, origins)


async def _record_at(
    endpoint: str,
    choice: BrowserChoice,
    recorder: Recorder,
    port: int,
    origins: tuple[str, ...],
) -> None:
    from cdp_protocol.recording.debug_server import serving
    from cdp_protocol.recording.proxy import RecordingProxy, reach

    behind = await reach(endpoint, choice.headers, timeout=choice.timeout)
    proxy = RecordingProxy(behind, recorder)
    with _port_taken(port):
        async with serving(proxy, port=port, allowed_origins=origins) as listening:
            proxy.begin()  # Not earlier: if serving fails, an existing file stays.
            product = escape_control_characters(behind.product or "a browser")
            output.write(
                f"Recording {product} in {recorder.path}. Point clients at "
                f"http://127.0.0.1:{listening}; Ctrl+C ends it."
            )
            await _until_ended()
    recorder.close()
    output.write(f"{recorder.messages} messages of {proxy.connections} connections.")


@click.command(context_settings={"ignore_unknown_options": True})
@click.argument("file", type=FILE)
@click.argument("switches", nargs=-1, type=click.UNPROCESSED)
@_PORT
@_ORIGINS
@click.option(
    "--speed",
    type=click.FloatRange(min=0, min_open=True),
    metavar="FACTOR",
    help="1 for the recorded timing, 2 for twice as fast; as fast as possible if left out.",
)
@click.option(
    "--strict",
    is_flag=True,
    help="Exit with 1 when something was asked in vain, or not all that was recorded was asked.",
)
@click.option("--once", is_flag=True, help="End when a client has left.")
@click.option(
    "--as-browser",
    is_flag=True,
    help="Stand in for the executable: take a browser's SWITCHES, and be spoken to as they say.",
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
    """Play the browser that was recorded in FILE to a client, without a browser.

    A command is answered as the recorded one that is the same, or most like it. Tells at the end
    what went otherwise.
    """
    from cdp_protocol.recording.replay import ReplayingBrowser

    if switches and not as_browser:
        raise click.UsageError(f'"{switches[0]}" is no option of this command; see --help.')
    recording = read_file(file)

    async def main() -> None:
        browser = ReplayingBrowser(recording, speed=speed, say=_tell)
        if as_browser:
            await _stand_in(browser, switches, origins)
        else:
            await _serve(browser, file, port, origins, once=once)
        for sentence in browser.report():
            _tell(sentence)
        if strict and not browser.is_faithful:
            sys.exit(1)

    run(main())


async def _serve(
    browser: ReplayingBrowser, file: Path, port: int, origins: tuple[str, ...], *, once: bool
) -> None:
    from cdp_protocol.recording.debug_server import serving

    with _port_taken(port):
        async with serving(browser, port=port, allowed_origins=origins) as listening:
            output.write(
                f"Playing {file}. Point a client at http://127.0.0.1:{listening}; Ctrl+C ends it."
            )
            await _until_ended(*([browser.left.wait] if once else []))


async def _stand_in(
    browser: ReplayingBrowser, switches: tuple[str, ...], origins: tuple[str, ...]
) -> None:
    from cdp_protocol.recording.clients import PipeClient
    from cdp_protocol.recording.debug_server import serving

    ports = [each.removeprefix(_SWITCH) for each in switches if each.startswith(_SWITCH)]
    pipe = PipeClient() if "--remote-debugging-pipe" in switches else None
    ends = [browser.left.wait, *([pipe.left.wait] if pipe is not None else [])]
    if pipe is not None and not ports:
        player = browser.player()
        assert player is not None
        playing = asyncio.create_task(browser.play(player, pipe))
        try:
            await _until_ended(pipe.left.wait, lambda: asyncio.wait([playing]))
        finally:
            playing.cancel()
            await asyncio.gather(playing, return_exceptions=True)
        return
    port = _port(ports[-1]) if ports else 0
    with _port_taken(port):
        async with serving(browser, port=port, allowed_origins=origins) as at:
            click.echo(f"DevTools listening on ws://127.0.0.1:{at}{browser.path}", err=True)
            await _until_ended(*ends)


def _port(text: str) -> int:
    """Parse the port in the value of --remote-debugging-port."""
    if not re.fullmatch("[0-9]{1,5}", text) or int(text) > _LAST_PORT:
        switch = escape_control_characters(_SWITCH + text)
        raise Failure(f'"{switch}" has no port from 0 to {_LAST_PORT}.', CALLED_WRONGLY)
    return int(text)


def _tell(sentence: str) -> None:
    note(escape_control_characters(sentence))


def read_file(file: Path) -> Recording:
    """Read a recording, and report its unreadable lines on stderr.

    Raises:
        Failure: The file cannot be read, or is not a recording.
    """
    from cdp_protocol.recording.format import RecordingError, read

    try:
        recording = read(file)
    except RecordingError as error:
        raise Failure(str(error)) from error
    except OSError as error:
        raise Failure(f"{file} cannot be read: {error.strerror}.") from error
    for number in recording.broken:
        _tell(f"Line {number} cannot be read and was left out.")
    if recording.cut:
        _tell(recording.cut)
    return recording


@contextmanager
def _port_taken(port: int) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        reason = error.strerror or str(error)
        text = f"Port {port} cannot be listened on: {reason}. Take another port."
        raise Failure(text) from error


async def _until_ended(*ends: Callable[[], Awaitable[object]]) -> None:
    """Wait for SIGINT, for SIGTERM, or until one of the awaitables has completed."""
    loop = asyncio.get_running_loop()
    asked = asyncio.Event()
    numbers = [signal.SIGINT, signal.SIGTERM] if sys.platform != "win32" else []
    for number in numbers:
        loop.add_signal_handler(number, asked.set)
    waits = [asyncio.ensure_future(each()) for each in (asked.wait, *ends)]
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
