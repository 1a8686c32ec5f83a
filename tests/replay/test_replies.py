"""Replies of the server at recorded browsers: the same calls, the same words, no browser to run.

Where a change alters what is sent to the browser or what is replied, `make recordings` makes new
ones.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from cdp_protocol.recording.debug_server import serving
from cdp_protocol.recording.format import read
from cdp_protocol.recording.replay import ReplayingBrowser
from tests.replay.scenarios import SCENARIOS
from tests.replay.serving import RECORDINGS, session
from tests.replay.told import Told


@pytest.mark.parametrize("name", SCENARIOS)
async def test_the_replies_are_those_that_were_given_at_the_browser(
    name: str, tmp_path: Path
) -> None:
    browser = ReplayingBrowser(read(RECORDINGS / f"{name}.jsonl.xz"))
    told = Told.read(RECORDINGS / f"{name}.json")

    async with serving(browser) as port, session(f"127.0.0.1:{port}", tmp_path) as client:
        await told.again(client.call)

    assert [said for player in browser.players for said in player.vain] == []
