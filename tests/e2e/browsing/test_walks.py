"""How often a call reads the page."""

from __future__ import annotations

from pathlib import Path

from cdp_protocol.recording.file_format import RecordedMessage, read_recording
from tests.e2e.conftest import StartServer
from tests.site import Site

CLICKS = 5


async def test_a_click_that_changes_only_styles_does_not_read_the_page_twice(
    open_server: StartServer, site: Site, tmp_path: Path
) -> None:
    url = site.page("<style>:active { color: red }</style><button>Rest</button>")
    trace = tmp_path / "trace.jsonl"
    async with open_server("--trace-cdp", str(trace), cwd=tmp_path) as client:
        await client.initialize()
        ref = (await client.call("browser_navigate", url=url)).ref("button", "Rest")
        for _ in range(CLICKS):
            reply = await client.call("browser_click", ref=ref)
    assert "No change on the page." in reply.text

    walks = [
        each
        for each in read_recording(trace).entries
        if isinstance(each, RecordedMessage)
        and {"value": "walk"} in each.message.get("params", {}).get("arguments", [])
    ]
    # Chromium may compute the styles after it was asked, so a few are read twice.
    assert 1 + CLICKS <= len(walks) <= 1 + CLICKS + 2
