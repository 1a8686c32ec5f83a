"""`cdp targets`, and the options of all commands that select the browser."""

from __future__ import annotations

import asyncio
import socket
import sys
from pathlib import Path

import pytest

from tests.e2e.cdp_cli.conftest import FIRST, Cli, OpenPage
from tests.e2e.support.users_browser import UserBrowser
from tests.site import Site


def find_unused_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


async def test_targets_are_listed_under_one_another(
    cdp: Cli, open_page: OpenPage, site: Site
) -> None:
    page = await open_page(url := site.page("<title>漢字 Möwe</title>"))
    ended = await cdp("targets")
    assert (ended.status, ended.err) == (0, "")
    head, *rows = ended.lines
    assert [row.split()[2] for row in rows] == sorted(row.split()[2] for row in rows)
    assert head.split() == ["#", "TYPE", "ID", "ATTACHED", "TITLE", "URL"]
    (row,) = [row for row in rows if url in row]
    assert row.split()[1:] == ["page", page.target_info["targetId"][:8], "yes", "漢字", "Möwe", url]
    assert any(row.endswith(f"First      {FIRST}") for row in rows), ended.out
    assert "omnibox" not in ended.out


async def test_for_programs_each_is_a_line_of_json(cdp: Cli) -> None:
    ended = await cdp("targets", "--json")
    (first,) = [each for each in ended.json if each["title"] == "First"]
    assert (first["type"], first["url"], len(first["targetId"])) == ("page", FIRST, 32)
    kinds = {each["type"] for each in (await cdp("targets", "--json", "--all")).json}
    assert "tab" in kinds


async def test_a_terminal_obeys_no_title(cdp: Cli, open_page: OpenPage, site: Site) -> None:
    await open_page(site.page("<script>document.title = 'a\\u202eb\\u009b2J'</script>"))
    ended = await cdp("targets")
    assert "a\\u202eb" in ended.out
    assert not {"\x1b", "\x9b", "\u202e"} & set(ended.out)


@pytest.mark.parametrize("before", [True, False])
async def test_the_browser_is_named_before_or_after_the_command(cdp: Cli, before: bool) -> None:
    named = ("--endpoint", f"127.0.0.1:{cdp.endpoint}")
    words = (*named, "targets") if before else ("targets", *named)
    ended = await cdp(*words, CDP_ENDPOINT=f"{find_unused_port()}")
    assert (ended.status, "First" in ended.out) == (0, True)


async def test_a_websocket_address_will_do(cdp: Cli, chromium_of_users: UserBrowser) -> None:
    ended = await cdp("-e", chromium_of_users.websocket_url, "targets")
    assert (ended.status, "First" in ended.out) == (0, True)


@pytest.mark.parametrize(
    "words",
    [
        ("targets",),
        ("send", "Browser.getVersion"),
        ("listen", "Network"),
        ("repl",),
    ],
)
async def test_a_missing_browser_is_reported(cdp: Cli, words: tuple[str, ...]) -> None:
    port = find_unused_port()
    ended = await cdp(*words, CDP_ENDPOINT=str(port))
    assert (ended.status, ended.out) == (1, "")
    assert ended.err.startswith(f"Error: Cannot connect to a browser at {port}: ")
    assert ended.err.rstrip().endswith(
        "Start one with --remote-debugging-port and pass its address, such as"
        " http://127.0.0.1:9222."
    )


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (("trgets",), 'Unknown command "trgets". Did you mean targets?'),
        (("targets", "--header", "hush"), 'a value is not a header. Write it as "Name: value".'),
        (("targets", "--header", "a: b\nHost: c"), "a value is not a header"),
        (("targets", "--timeout", "0"), "0.0 is not in the range"),
        (("targets", "--jsn"), "--jsn"),
        (("targets", "stray"), "stray"),
    ],
)
async def test_a_wrong_argument_is_named(cdp: Cli, words: tuple[str, ...], expected: str) -> None:
    ended = await cdp(*words)
    assert (ended.status, ended.out) == (2, "")
    assert expected in ended.err
    assert "hush" not in ended.err
    assert "Traceback" not in ended.err


async def test_headers_are_sent_with_the_request(cdp: Cli, site: Site) -> None:
    site.respond("/json/version", status=403)
    ended = await cdp(
        *("-e", site.url(), "--header", "X-Key: secret", "targets", "--header", "X-More: 1")
    )
    assert (ended.status, "status 403" in ended.err, "secret" in ended.err) == (1, True, False)
    (request,) = site.requests("/json/version")
    assert (request.headers["X-Key"], request.headers["X-More"]) == ("secret", "1")


async def test_a_browser_can_be_launched_for_one_command(cdp: Cli, executable: str) -> None:
    ended = await cdp("targets", "--launch", "--json", CHROMIUM_PATH=executable)
    assert (ended.status, [each["url"] for each in ended.json]) == (0, ["about:blank"])


async def test_a_browser_that_cannot_be_launched_is_named(cdp: Cli) -> None:
    ended = await cdp("--launch", "targets", CHROMIUM_PATH="/nowhere/chromium")
    assert (ended.status, ended.out) == (1, "")
    assert "/nowhere/chromium" in ended.err
    assert "Traceback" not in ended.err


@pytest.mark.parametrize(
    ("where", "status", "expected"),
    [
        (">&-", 0, ""),
        ("<&-", 0, ""),
        (">/dev/full", 1, "Cannot write to stdout: No space left on device."),
        ("| true", 0, ""),
    ],
)
async def test_a_closed_output_causes_no_traceback(
    cdp: Cli, where: str, status: int, expected: str
) -> None:
    shell = await asyncio.create_subprocess_shell(
        f'"{sys.executable}" -m cdp_protocol -e {cdp.endpoint} targets {where}',
        stdout=asyncio.subprocess.DEVNULL,
        stderr=asyncio.subprocess.PIPE,
    )
    result = (await shell.communicate())[1].decode()
    assert (shell.returncode, expected in result, "Traceback" in result) == (status, True, False)


async def test_the_messages_on_the_wire_can_be_watched(cdp: Cli) -> None:
    ended = await cdp("targets", "-v")
    assert '> {"id":1,"method":"Target.getTargets"' in ended.err
    assert "targetInfos" not in ended.out


async def test_the_revision_of_the_protocol_is_printed(cdp: Cli) -> None:
    ended = await cdp("--version")
    assert ended.out.startswith("cdp, with the protocol of Chrome/")


async def test_help_names_the_commands(cdp: Cli, tmp_path: Path) -> None:
    ended = await cdp("--help")
    assert ended.status == 0
    for name in ("targets", "send", "listen", "diff", "repl", "help"):
        assert f"\n  {name} " in ended.out
    assert (await cdp("help")).out == ended.out
    assert (await cdp("help", "diff")).out == (await cdp("diff", "--help")).out
