"""Print the changes of a page at the elements that match a selector, when they happen.

Example: python scripts/examples/watch_dom.py https://example.org '.basket' --seconds 60
"""

from __future__ import annotations

import argparse
import sys
from datetime import datetime
from pathlib import Path

import orjson

from cdp_protocol import Session
from cdp_protocol.types.page import FrameNavigatedEvent
from cdp_protocol.types.runtime import BindingCalledEvent
from scripts.examples.example import arguments, fresh_page, load, print_safely, run

WORLD = "watch-dom"  # an isolated world: the page sees neither the script nor the binding
TELL = "tellMutation"
SCRIPT = Path(__file__).with_suffix(".js").read_text(encoding="utf-8")


def now() -> str:
    return f"{datetime.now().astimezone():%H:%M:%S.%f}"


async def main(args: argparse.Namespace) -> None:
    def mutated(event: BindingCalledEvent) -> None:
        if event["name"] == TELL:
            print_safely(now(), event["payload"])

    def navigated(event: FrameNavigatedEvent) -> None:
        print_safely(now(), f"now at {event['frame']['url']}")

    async def watch(session: Session) -> None:
        session.on(session.Runtime.bindingCalled, mutated)
        session.on(session.Page.frameNavigated, navigated)
        await session.Runtime.enable()
        await session.Runtime.addBinding(name=TELL, executionContextName=WORLD)
        # For every later document too, so that it continues after a navigation.
        await session.Page.addScriptToEvaluateOnNewDocument(
            source=f"{SCRIPT}\nwatch({selector}, {TELL})", worldName=WORLD
        )

    selector = orjson.dumps(args.selector).decode()
    async with fresh_page(args.endpoint, watch) as page:
        tried = await page.Runtime.evaluate(expression=f"document.querySelector({selector})")
        if "exceptionDetails" in tried:
            sys.exit(f"{args.selector} is no selector.")
        await load(page, args.url, args.seconds)


if __name__ == "__main__":
    parser = arguments(__doc__)
    parser.add_argument("selector", help="in CSS; what is inside of an element counts as well")
    parser.set_defaults(seconds=float("inf"))
    run(main(parser.parse_args()))
