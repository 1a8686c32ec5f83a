"""Records the sessions again in a real browser: `make recordings`, or with ONLY=shop one of them.

Review the changes of the replies (recordings/*.json) like code.
"""

from __future__ import annotations

import asyncio
import lzma
import sys
import tempfile
from pathlib import Path

import orjson
from pytest_httpserver import HTTPServer

import cdp_protocol
from cdp_protocol.recording.secret_patterns import MASK
from tests.replay.recorded_session import RecordedSession
from tests.replay.scenarios import SCENARIOS
from tests.replay.serving import RECORDINGS, open_session
from tests.site import Site

# The same in each recording, so that replies differ only by changes of the server.
PORT = 8421
LONG = 200  # characters of a script
OPTIONS = ("--window-size=1024,768", "--force-device-scale-factor=1")


async def record(name: str) -> None:
    """Record one session and write it with its replies."""
    with (
        tempfile.TemporaryDirectory() as temporary,
        HTTPServer("127.0.0.1", PORT, threaded=True) as server,
    ):
        trace = Path(temporary) / "trace.jsonl"
        async with (
            cdp_protocol.launch(args=OPTIONS) as browser,
            open_session(browser.endpoint, Path(temporary), trace) as client,
        ):
            recorded = RecordedSession(client.call)
            await SCENARIOS[name](recorded, Site(server))
        lines = map(shortened, trace.read_bytes().splitlines())
        kept = lzma.compress(b"\n".join(lines), preset=9 | lzma.PRESET_EXTREME)
        (RECORDINGS / f"{name}.jsonl.xz").write_bytes(kept)
        recorded.write(RECORDINGS / f"{name}.json")
    print(f"{name}: {len(recorded.calls)} calls, {len(kept) // 1000} kB")


def shortened(line: bytes) -> bytes:
    """Return a line with only the beginnings of its scripts: the replay does not run them, and a
    masked value matches anything."""
    result = orjson.loads(line)
    params = result.get("message", {}).get("params", {})
    if result.get("from") == "client":
        for key, value in params.items():
            if isinstance(value, str) and len(value) > LONG:
                params[key] = f"{value[:LONG]}{MASK}"
    return orjson.dumps(result)


async def main(names: list[str]) -> None:
    for name in names or SCENARIOS:
        await record(name)


asyncio.run(main(sys.argv[1:]))
