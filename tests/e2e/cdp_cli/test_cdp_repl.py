"""`cdp repl`: with its stdin from a pipe, and at a terminal."""

from __future__ import annotations

import asyncio
import os
import pty
import sys
import textwrap
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.e2e.cdp_cli.conftest import Cli, CommandResult

_LIMIT = 30.0  # seconds until a text must be on the screen

# Terminals are tried where they are alike.
at_a_terminal = pytest.mark.skipif(
    sys.platform == "win32", reason="Windows has no terminals of ours"
)


async def run_prompt(cdp: Cli, lines: str, *words: str) -> CommandResult:
    """Hand it these lines."""
    return await cdp("repl", *words, given=textwrap.dedent(lines).encode())


async def test_await_works_at_the_top_and_values_are_shown(cdp: Cli) -> None:
    ended = await run_prompt(
        cdp,
        """
        1 + 1
        (await page.Runtime.evaluate(expression="'Mö' + 'we'"))["result"]
        for n in range(2):
            print(n)

        x = await browser.Browser.getVersion()
        x["protocolVersion"]
        _ + "!"
        cdp_protocol.Session in type(page).__mro__
        """,
    )
    assert (ended.status, ended.err) == (0, "")
    assert ended.lines == [
        "2",
        "{'type': 'string', 'value': 'Möwe'}",
        "0",
        "1",
        "'1.3'",
        "'1.3!'",
        "True",
    ]


async def test_an_error_names_the_typed_line_and_the_prompt_continues(cdp: Cli) -> None:
    ended = await run_prompt(
        cdp,
        """
        await page.send("Page.navigat")
        1 / 0
        x = (
        """
        """
        ]
        await attach("nobody")
        show("Netwrk")
        show(3)
        "still here"
        """,
    )
    assert ended.status == 0
    assert ended.lines == ["'still here'"]
    assert "ProtocolError: Page.navigat is not a command of this browser or target." in ended.err
    assert "Did you mean Page.navigate?" in ended.err
    assert "ZeroDivisionError" in ended.err
    assert "SyntaxError" in ended.err
    assert 'No target has "nobody"' in ended.err
    assert "Netwrk is not an event or domain" in ended.err
    assert "3 is not a domain, command or event. Pass page.Network" in ended.err
    assert "loop_thread" not in ended.err


async def test_events_are_shown_between_the_typed_lines(cdp: Cli) -> None:
    ended = await run_prompt(
        cdp,
        """
        shown = show(page.Runtime.consoleAPICalled, "args.0.value~o")
        shown
        heard = page.expect(page.Runtime.consoleAPICalled, lambda e: e["args"][0]["value"] == "two")
        async with heard:
            for word in ("one", "six", "two"):
                _ = await page.Runtime.evaluate(expression=f"console.log('{word}')")
            _ = await heard

        shown.close()
        """,
    )
    assert (ended.status, ended.err) == (0, "")
    head, one, two = ended.lines
    assert head == "<printing Runtime.consoleAPICalled; close() stops it>"
    assert "Runtime.consoleAPICalled  type=log args=[{type: string, value: one}]" in one
    assert "value: two" in two


async def test_the_protocol_explains_itself(cdp: Cli) -> None:
    ended = await run_prompt(cdp, "explain(page.Page.close)\nexplain('Page.clsoe')\n")
    assert ended.lines[0] == "Page.close, a command"
    assert "Did you mean Page.close" in ended.err


async def test_another_target_can_be_attached_to(cdp: Cli) -> None:
    ended = await run_prompt(
        cdp,
        """
        other = await attach(await browser.Target.createTarget(url="data:text/html,<title>Another"))
        other.target_info["type"]
        _ = await browser.Target.closeTarget(targetId=other.target_info["targetId"])
        """,
        "--target=first",
    )
    assert (ended.err, ended.lines) == ("", ["'page'"])


@pytest.mark.parametrize("leaving", ["exit()", "raise SystemExit(0)", "import sys; sys.exit()"])
async def test_the_prompt_is_left_as_in_python(cdp: Cli, leaving: str) -> None:
    ended = await run_prompt(cdp, f"{leaving}\nprint('not any more')\n")
    assert (ended.status, ended.out, ended.err) == (0, "", "")


async def test_a_page_that_there_is_not_is_named(cdp: Cli) -> None:
    ended = await run_prompt(cdp, "1", "--target", "nobody")
    assert (ended.status, ended.out) == (1, "")
    assert 'Error: No target has "nobody"' in ended.err


# ---- at a terminal


class Terminal:
    """A terminal with the prompt in it."""

    def __init__(self, file: int, process: asyncio.subprocess.Process) -> None:
        self.process = process
        self._file = file
        self._seen = ""

    def type(self, keys: str) -> None:
        os.write(self._file, keys.encode())

    async def wait_for(self, words: str) -> str:
        """Wait until the words are on the screen; return the new text since the last wait."""
        async with asyncio.timeout(_LIMIT):
            while words not in self._seen:
                await self._wait_for_output()
                self._seen += os.read(self._file, 4096).decode()
        before, _, self._seen = self._seen.partition(words)
        return before + words

    async def _wait_for_output(self) -> None:
        """Wait until there is something to read."""
        loop, readable = asyncio.get_running_loop(), asyncio.Event()
        loop.add_reader(self._file, readable.set)
        try:
            await readable.wait()
        finally:
            loop.remove_reader(self._file)

    async def run_line(self, line: str, words: str) -> None:
        """Wait for the prompt, type a line, and wait for its output and the next prompt."""
        await self.wait_for(">>> ")
        self.type(f"{line}\n")
        await self.wait_for(f"\n{words}" if words.isdecimal() else words)

    async def press_until(self, key: str, words: str) -> None:
        """Press a key until that is on the screen: Python overhears Ctrl+C while it reads a key."""
        waiting = asyncio.create_task(self.wait_for(words))
        while not waiting.done():
            self.type(key)
            await asyncio.wait([waiting], timeout=0.5)
        await waiting


@pytest.fixture
async def terminal(cdp: Cli, tmp_path: Path) -> AsyncIterator[Terminal]:
    """Return one in which the prompt waits."""
    ours, theirs = pty.openpty()
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "cdp_protocol", "repl"),
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        start_new_session=True,
        env={**os.environ, "CDP_ENDPOINT": cdp.endpoint, "HOME": str(tmp_path), "TERM": "dumb"},
        preexec_fn=_attach_terminal,
    )
    os.close(theirs)
    terminal = Terminal(ours, process)
    await terminal.wait_for(">>> ")
    try:
        yield terminal
        if process.returncode is None:
            await terminal.wait_for(">>> ")
            terminal.type("\x04")
        await asyncio.wait_for(process.wait(), 10)
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
        os.close(ours)


def _attach_terminal() -> None:
    import fcntl
    import termios

    fcntl.ioctl(0, termios.TIOCSCTTY, 0)


@at_a_terminal
async def test_ctrl_c_cancels_an_awaited_call_and_the_prompt_stays(terminal: Terminal) -> None:
    terminal.type("print('now'); await asyncio.sleep(60)\n")
    await terminal.wait_for("\nnow")
    terminal.type("\x03")
    await terminal.wait_for("KeyboardInterrupt")
    await terminal.run_line("await page.Runtime.evaluate(expression='6 * 7')", "'value': 42")


@at_a_terminal
async def test_ctrl_c_stops_a_loop_without_await_too(terminal: Terminal) -> None:
    terminal.type("""exec("print('now')\\nwhile True: pass")\n""")
    await terminal.wait_for("\nnow")
    terminal.type("\x03")
    await terminal.wait_for("KeyboardInterrupt")
    await terminal.run_line("6 * 7", "42")


@at_a_terminal
async def test_ctrl_c_at_the_prompt_forgets_the_line(terminal: Terminal) -> None:
    terminal.type("1 + ")
    await terminal.wait_for("1 + ")
    await terminal.press_until("\x03", "KeyboardInterrupt")
    await terminal.run_line("40 + 2", "42")


@at_a_terminal
async def test_tab_completes_and_the_history_is_kept(terminal: Terminal, tmp_path: Path) -> None:
    terminal.type("await page.Runti\t.evalua\texpr\t'6 * 7')\n")
    await terminal.wait_for("page.Runtime.evaluate(expression='6 * 7')")
    await terminal.wait_for("'value': 42")
    await terminal.wait_for(">>> ")
    terminal.type("exit()\n")
    await asyncio.wait_for(terminal.process.wait(), 10)
    history = tmp_path / ".cdp_history"
    assert "await page.Runtime.evaluate(expression='6 * 7')\n" in history.read_text()
