"""Records the sessions of this layer anew, in a real browser: `make recordings`, ONLY=shop for one.

Review what changed in the replies (recordings/*.json) as you review code.
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
from tests.replay.scenarios import SCENARIOS
from tests.replay.serving import RECORDINGS, session
from tests.replay.told import Told
from tests.site import Site

# The same each time, so that replies differ by what the server does alone.
PORT = 8421
LONG = 200  # characters of a script
OPTIONS = ("--window-size=1024,768", "--force-device-scale-factor=1")


async def record(name: str) -> None:
    """Record one session, and keep it with its replies."""
    with (
        tempfile.TemporaryDirectory() as temporary,
        HTTPServer("127.0.0.1", PORT, threaded=True) as server,
    ):
        trace = Path(temporary) / "trace.jsonl"
        async with (
            cdp_protocol.launch(args=OPTIONS) as browser,
            session(browser.endpoint, Path(temporary), trace) as client,
        ):
            told = Told(client.call)
            await SCENARIOS[name](told, Site(server))
        lines = map(shortened, trace.read_bytes().splitlines())
        kept = lzma.compress(b"\n".join(lines), preset=9 | lzma.PRESET_EXTREME)
        (RECORDINGS / f"{name}.jsonl.xz").write_bytes(kept)
        told.write(RECORDINGS / f"{name}.json")
    print(f"{name}: {len(told.calls)} calls, {len(kept) // 1000} kB")


def shortened(line: bytes) -> bytes:
    """Return a line with the beginnings of the scripts that it sends: nobody runs them again, and
    what is masked is taken for anything.
    """
    said = orjson.loads(line)
    params = said.get("message", {}).get("params", {})
    if said.get("from") == "client":
        for key, value in params.items():
            if isinstance(value, str) and len(value) > LONG:
                params[key] = f"{value[:LONG]}{MASK}"
    return orjson.dumps(said)


async def main(names: list[str]) -> None:
    for name in names or SCENARIOS:
        await record(name)


asyncio.run(main(sys.argv[1:]))
