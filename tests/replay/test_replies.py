"""Replies of the server to the same calls with recorded browsers, which run no browser.

After a change of the commands to the browser or of the replies, `make recordings` records them
again.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from cdp_protocol.recording.file_format import read_recording
from cdp_protocol.recording.remote_debugging_server import run_debug_server
from cdp_protocol.recording.replay import ReplayingBrowser
from tests.replay.recorded_session import RecordedSession
from tests.replay.scenarios import SCENARIOS
from tests.replay.serving import RECORDINGS, open_session


@pytest.mark.parametrize("name", SCENARIOS)
async def test_the_replies_equal_the_recorded_ones(name: str, tmp_path: Path) -> None:
    browser = ReplayingBrowser(read_recording(RECORDINGS / f"{name}.jsonl.xz"))
    recorded = RecordedSession.read(RECORDINGS / f"{name}.json")

    async with (
        run_debug_server(browser) as port,
        open_session(f"127.0.0.1:{port}", tmp_path) as client,
    ):
        await recorded.replay(client.call)

    assert [result for player in browser.players for result in player.unknown_commands] == []
