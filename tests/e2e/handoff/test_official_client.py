"""`browser_ask_user` with the official client for Python, in both eras of the protocol."""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path
from typing import Any, Literal

import pytest
from mcp import Client, StdioServerParameters, stdio_client
from mcp.types import ElicitResult

from tests.e2e.handoff.test_ask_user import ASK, LOGIN
from tests.site import Site

pytestmark = pytest.mark.time_limit(60)


@pytest.mark.parametrize("mode", ["legacy", "2026-07-28"])
async def test_a_person_answers_in_the_client(
    executable: str, tmp_path: Path, site: Site, mode: Literal["legacy", "2026-07-28"]
) -> None:
    asked: list[str] = []

    async def answer(context: object, params: Any) -> ElicitResult:
        asked.append(params.message)
        return ElicitResult(action="accept", content={"answer": "I am in"})

    flags = ["--headless", "--no-sandbox", "--executable-path", executable, "--caps", "handoff"]
    command = StdioServerParameters(
        command=sys.executable,
        args=["-m", "viewpoint_mcp", *flags],
        cwd=tmp_path,
        env=dict(os.environ),
    )
    with (tmp_path / "stderr").open("w") as errors:
        transport = stdio_client(command, errlog=errors)
        async with Client(transport, mode=mode, elicitation_callback=answer) as client:
            await client.call_tool("browser_navigate", {"url": site.page(LOGIN)})
            result = await client.call_tool("browser_ask_user", dict(ASK))

    text = getattr(result.content[0], "text", "")
    assert "Outcome: done\nMessage of the person: I am in" in text
    assert len(asked) == 1
    assert re.match(r"Please log in\n\nOpen http://127\.0\.0\.1:\d+/view#\S+ to see", asked[0])
