"""Save the body of every response that a page gets in a directory, byte for byte.

Example: python scripts/examples/log_bodies.py https://example.org bodies --seconds 5
"""

from __future__ import annotations

import argparse
import asyncio
import base64
import re
from contextlib import suppress
from pathlib import Path

from cdp_protocol import CdpError, Session
from cdp_protocol.types.fetch import RequestPausedEvent
from scripts.examples.example import arguments, fresh_page, load, print_safely, run


async def save_body(session: Session, event: RequestPausedEvent, file: Path) -> str:
    headers = {each["name"].lower(): each["value"] for each in event.get("responseHeaders", [])}
    if event["request"]["method"] == "HEAD" or event.get("responseStatusCode", 300) // 100 == 3:
        return f"no body, {event.get('responseErrorReason') or headers.get('location', 'unsent')}"
    if "text/event-stream" in headers.get("content-type", ""):
        return "no body, a stream without an end"
    answer = await session.Fetch.getResponseBody(requestId=event["requestId"])
    body = base64.b64decode(answer["body"])  # as sent; Network would decode text
    announced = "" if "content-encoding" in headers else headers.get("content-length", "")
    if announced.isdecimal() and len(body) < int(announced):
        return f"the body is gone, it broke off after {len(body):,} of {announced} bytes"
    await asyncio.to_thread(file.write_bytes, body)
    return f"{len(body):,} bytes in {file.name}"


async def main(args: argparse.Namespace) -> None:
    async def note(session: Session, event: RequestPausedEvent) -> None:
        place = re.sub(r"[^\w.-]+", "_", re.split("://|[?#]", event["request"]["url"])[1])[-100:]
        try:
            told = await save_body(session, event, args.directory / f"{next(numbers):04}-{place}")
        except CdpError as error:
            told = f"the body is gone: {error}"
        print_safely(event.get("responseStatusCode", "---"), event["request"]["url"], "-", told)
        with suppress(CdpError):  # the page gave it up by itself
            await session.Fetch.continueRequest(requestId=event["requestId"])

    async def log(session: Session) -> None:
        session.on(session.Fetch.requestPaused, lambda e: tasks.create_task(note(session, e)))
        await session.Fetch.enable(patterns=[{"requestStage": "Response"}])

    numbers = iter(range(1, 1 << 60))
    args.directory.mkdir(parents=True, exist_ok=True)
    async with asyncio.TaskGroup() as tasks, fresh_page(args.endpoint, log) as page:
        await load(page, args.url, args.seconds)


if __name__ == "__main__":
    parser = arguments(__doc__)
    parser.add_argument("directory", type=Path, help="made if it is not there")
    run(main(parser.parse_args()))
