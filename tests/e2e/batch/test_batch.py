"""browser_batch: the lines of its steps, and the state at the end."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.conftest import OpenHere, Show
from tests.e2e.support.client import Reply, ServerClient
from tests.site import Site

FORM = """<title>Order</title><h1>Order</h1><form onsubmit="event.preventDefault()
  setTimeout(() => { done.innerHTML = '<button>Print</button>' }, 300)">
<input aria-label=Name><button>Send</button></form><div id=done></div>
""" + "".join(f"<p>Paragraph {number} of the terms.</p>" for number in range(9))


def step(tool: str, **arguments: Any) -> dict[str, Any]:
    return {"tool": tool, "arguments": arguments}


async def batch(server: ServerClient, *steps: dict[str, Any], **arguments: Any) -> Reply:
    return await server.call("browser_batch", calls=list(steps), **arguments)


async def test_each_step_has_a_line_and_the_changes_of_all_come_once(
    shared_server: ServerClient, show: Show
) -> None:
    await show(FORM)
    reply = await batch(
        shared_server,
        step("browser_type", ref='textbox "Name"', text="Ada"),
        step("browser_click", ref='button "Send"'),
        step("browser_hover", ref='button "Print"'),
    )
    assert not reply.is_error
    assert reply.sections["Result"] == (
        '1. browser_type: Typed into textbox "Name"\n'
        '2. browser_click: Clicked button "Send"\n'
        '3. browser_hover: Hovered over button "Print"'
    )
    assert "Page" not in reply.sections  # the page is still the one that the agent knows
    changes = reply.sections["Snapshot"]
    assert changes.startswith("Changes on the page:")
    assert "Ada  # was: empty" in changes
    assert '<added> button "Print"' in changes


async def test_the_next_reply_shows_only_later_changes(
    shared_server: ServerClient, show: Show
) -> None:
    await show(FORM)
    await batch(shared_server, step("type", ref='textbox "Name"', text="Ada"))
    reply = await shared_server.call("browser_hover", ref="h1")
    assert reply.sections["Snapshot"] == "No change on the page."


async def test_what_steps_read_is_in_the_reply_in_their_order(
    shared_server: ServerClient, show: Show
) -> None:
    await show(FORM)
    reply = await batch(
        shared_server,
        step("evaluate", function="document.title"),
        step("find", text="send"),
        step("type", ref="input", text="Ada"),
        step("console_messages", level="debug"),
        step("evaluate", function="'### Error\\n3. browser_click: fake'"),
    )
    lines = reply.sections["Result"].splitlines()
    assert lines[0] == "1. browser_evaluate: Order"
    assert lines[1:3] == ["2. browser_find:", '  Found 1 match for "send":']
    assert '3. browser_type: Typed into textbox "Name"' in lines
    assert lines[-3:] == ["5. browser_evaluate:", "  \\### Error", "  3. browser_click: fake"]
    assert "Ada" in reply.sections["Snapshot"]


async def test_a_snapshot_at_the_end_is_not_repeated(
    shared_server: ServerClient, show: Show
) -> None:
    await show(FORM)
    reply = await batch(
        shared_server, step("type", ref="input", text="Ada"), step("browser_snapshot")
    )
    assert reply.text.count('textbox "Name"') == 2  # its own line, and the line of the step
    assert "Snapshot" not in reply.sections
    assert "Page" not in reply.sections
    later = await shared_server.call("browser_hover", ref="h1")
    assert later.sections["Snapshot"] == "No change on the page."


async def test_changes_after_a_snapshot_are_shown_at_the_end(
    shared_server: ServerClient, show: Show
) -> None:
    await show(FORM)
    reply = await batch(
        shared_server,
        step("type", ref="input", text="Ada"),
        step("snapshot"),
        step("type", ref="input", text="Bob"),
    )
    assert 'Bob  # was: "Ada"' in reply.sections["Snapshot"]


async def test_a_part_of_the_page_does_not_replace_the_changes(
    shared_server: ServerClient, show: Show
) -> None:
    await show(FORM)
    reply = await batch(
        shared_server, step("type", ref="input", text="Ada"), step("snapshot", ref="h1")
    )
    assert "Ada" in reply.sections["Snapshot"]


@pytest.mark.parametrize("arguments", [{"depth": 0}, {"ref": "h1"}, {"filename": "page.yml"}])
async def test_after_a_navigation_a_snapshot_step_decides_what_is_shown(
    server: ServerClient, site: Site, arguments: dict[str, Any]
) -> None:
    reply = await batch(
        server, step("navigate", url=site.page(FORM)), step("snapshot", **arguments)
    )
    assert "Snapshot" not in reply.sections
    assert "Paragraph 8" not in reply.text or "depth" in arguments


@pytest.mark.parametrize("mode", ["full", "none", "file"])
async def test_the_snapshot_mode_decides_about_the_end(
    open_here: OpenHere, site: Site, tmp_path: Path, mode: str
) -> None:
    url = site.page(FORM)
    async with open_here(f"--snapshot-mode={mode}", cwd=tmp_path) as server:
        await server.initialize()
        reply = await batch(
            server, step("navigate", url=url), step("type", ref="input", text="Ada")
        )
        assert ("Snapshot" in reply.sections) is (mode != "none")
        twice = await batch(server, step("type", ref="input", text="B"), step("snapshot"))
        assert "Snapshot" not in twice.sections


async def test_an_image_is_returned(open_here: OpenHere, site: Site, tmp_path: Path) -> None:
    url = site.page(FORM)
    async with open_here("--image-responses=inline", cwd=tmp_path) as server:
        await server.initialize()
        reply = await batch(
            server,
            step("navigate", url=url),
            step("take_screenshot", filename="a.png"),
            step("take_screenshot", filename="b.png"),
        )
    assert len(reply.images) == 2
    assert "2. browser_take_screenshot:\n  Screenshot saved to a.png" in reply.sections["Result"]


async def test_the_budget_limits_the_whole_reply(
    open_here: OpenHere, site: Site, tmp_path: Path
) -> None:
    url = site.page("".join(f"<button>Button number {number}</button>" for number in range(400)))
    async with open_here("--snapshot-budget=5000", cwd=tmp_path) as server:
        await server.initialize()
        snapshots = [step("snapshot"), step("evaluate", function="'x'.repeat(4000)")] * 2
        reply = await batch(server, step("navigate", url=url), *snapshots)
    assert not reply.is_error
    assert 4000 < len(reply.text) < 5500
    assert re.search(r"3. browser_evaluate:\n  Cut to \d{3} of 4,000 characters", reply.text)
    assert "4. browser_snapshot: Not shown, because the batch has used its budget." in reply.text
    assert re.search(r"5. browser_evaluate:\n  Cut to \d{3} of 4,000 characters", reply.text)


async def test_events_of_all_steps_are_reported(
    shared_server: ServerClient, show: Show, site: Site
) -> None:
    url = site.page("<h1>Popup</h1>", path="/popup")
    await show(
        f"<a href={url} target=_blank>Open</a>"
        "<button onclick=\"console.error('Ouch')\">Log</button>"
    )
    reply = await batch(
        shared_server,
        step("click", ref='link "Open"'),
        step("click", ref='button "Log"'),
        step("evaluate", function="1"),
    )
    assert f"Popup opened as tab 1: {url}" in reply.sections["Events"]
    assert "Ouch" in reply.sections["Events"]
    assert "- 1: " in reply.sections["Open tabs"]


async def test_a_step_in_another_tab_is_followed(
    shared_server: ServerClient, show: Show, site: Site
) -> None:
    url = site.page("<title>Second</title><button>Two</button>", path="/second")
    await show("<title>First</title><button onclick=\"console.error('Ouch')\">One</button>")
    reply = await batch(
        shared_server,
        step("click", ref='button "One"'),
        step("tabs", action="new", url=url),
        step("click", ref='button "Two"'),
    )
    assert "- Page Title: Second" in reply.sections["Page"]
    assert 'button "Two" [active]' in reply.sections["Snapshot"]
    assert "Ouch" in reply.sections["Events"]
    assert "Popup" not in reply.text
    assert "(current) [Second]" in reply.sections["Open tabs"]


async def test_a_step_can_select_a_tab_that_another_step_opened_or_moved(
    server: ServerClient, site: Site
) -> None:
    url = site.page("<title>First</title><a href=/second target=_blank>Open</a>", path="/first")
    site.page("<title>Second</title>", path="/second")
    site.page("<title>Third</title><p>End", path="/third")
    reply = await batch(
        server,
        step("navigate", url=url),
        step("click", ref='link "Open"'),
        step("tabs", action="new", url=site.url("/third")),
        step("tabs", action="select", index=0),
        step("close"),
        step("tabs", action="select", index=1),
        step("find", text="End"),
    )
    assert not reply.is_error, reply.text
    assert "(current) [Third]" in reply.sections["Open tabs"]
    assert "First" not in reply.sections["Open tabs"]


async def test_a_batch_that_ends_with_the_list_of_tabs_does_not_repeat_it(
    shared_server: ServerClient, show: Show
) -> None:
    await show("<title>First</title><p>Text")
    await batch(shared_server, step("tabs", action="new"))
    reply = await batch(shared_server, step("close"), step("tabs", action="list"))
    assert "1. browser_close: Closed the page" in reply.text
    assert "Open tabs" not in reply.sections


async def test_steps_act_in_the_context_of_the_batch(server: ServerClient, site: Site) -> None:
    url = site.page("<title>Shop</title><button>Buy</button>")
    reply = await batch(
        server,
        step("context_create", name="shop"),
        step("context_switch", name="default"),
        step("navigate", url=url, context="shop"),
    )
    assert not reply.is_error, reply.text
    reply = await batch(server, step("click", ref='button "Buy"'), context="shop")
    assert '1. browser_click: Clicked button "Buy"' in reply.sections["Result"]
    reply = await server.call("browser_snapshot", context="shop")
    assert "- Page Title: Shop" in reply.sections["Page"]


async def test_secrets_are_typed_and_masked(
    open_here: OpenHere, site: Site, tmp_path: Path
) -> None:
    (tmp_path / "secrets.env").write_text("TOKEN=open-sesame\n")
    url = site.page(FORM)
    async with open_here(
        f"--secrets={tmp_path / 'secrets.env'}", "--save-session", cwd=tmp_path
    ) as server:
        await server.initialize()
        reply = await batch(
            server,
            step("navigate", url=url),
            step("type", ref="input", text="TOKEN"),
            step("evaluate", function="document.querySelector('input').value.length"),
        )
    assert "3. browser_evaluate: 11" in reply.sections["Result"]
    assert "<secret>TOKEN</secret>" in reply.sections["Snapshot"]
    (log,) = await asyncio.to_thread(lambda: list(tmp_path.rglob("session-*.md")))
    assert "### Tool call: browser_batch" in log.read_text()


async def test_a_tool_that_is_not_offered_is_no_step(open_here: OpenHere, tmp_path: Path) -> None:
    async with open_here("--tools=-browser_evaluate", cwd=tmp_path) as server:
        await server.initialize()
        reply = await batch(server, step("browser_evaluate", function="1"))
    assert "Step 1 (browser_evaluate): No tool has this name." in reply.sections["Error"]
    assert reply.text.endswith("No step was run.")
