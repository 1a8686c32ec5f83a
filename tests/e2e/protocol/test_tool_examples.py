"""The examples of docs/tools.md: a server gives the replies that the page shows."""

from __future__ import annotations

from pathlib import Path

import pytest

from scripts.tool_docs.player import play, read_replies


@pytest.mark.time_limit(120)
async def test_the_documentation_shows_the_replies_of_the_server(
    executable: str, tmp_path: Path
) -> None:
    played = await play(tmp_path, Path(executable))
    saved = read_replies()
    assert len(played) == len(saved)
    for now, then in zip(played, saved, strict=True):
        assert now == then, "If the new reply is right, run `make docs`."
