"""Load a page without the requests that match a pattern, and print the blocked requests.

Example: python scripts/examples/block_requests.py https://example.org '*.png' '*://ads.*'
"""

from __future__ import annotations

import argparse
import asyncio
from contextlib import suppress

from cdp_protocol import CdpError, Session
from cdp_protocol.types.fetch import RequestPausedEvent
from scripts.examples.example import arguments, fresh_page, load, print_safely, run


async def main(args: argparse.Namespace) -> None:
    async def refuse(session: Session, event: RequestPausedEvent) -> None:
        request, url = event["requestId"], event["request"]["url"]
        print_safely(f"blocked {event['resourceType']:<10} {url}")
        with suppress(CdpError):  # the page gave it up by itself
            await session.Fetch.failRequest(requestId=request, errorReason="BlockedByClient")

    async def block(session: Session) -> None:
        """Start blocking. Requests of workers arrive in the session of their page."""
        fetch = session.Fetch
        session.on(fetch.requestPaused, lambda event: tasks.create_task(refuse(session, event)))
        await fetch.enable(patterns=[{"urlPattern": pattern} for pattern in args.patterns])

    async with asyncio.TaskGroup() as tasks, fresh_page(args.endpoint, block) as page:
        await load(page, args.url, args.seconds)


if __name__ == "__main__":
    parser = arguments(__doc__)
    parser.add_argument("patterns", nargs="+", help="of URLs: * is anything, ? is one character")
    run(main(parser.parse_args()))
