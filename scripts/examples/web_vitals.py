"""Measure the Core Web Vitals of a page, as Chromium's performance timeline has them.

Example: python scripts/examples/web_vitals.py https://example.org --click '#menu'
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from cdp_protocol import ProtocolError
from scripts.examples.example import arguments, click, fresh_page, load, print_safely, run

WORLD = "web-vitals"  # an isolated world: the page cannot change its objects
SCRIPT = Path(__file__).with_suffix(".js").read_text(encoding="utf-8")
# Milliseconds, of CLS a score: until where good, from where poor. https://web.dev/articles/vitals
CORE = {"LCP": (2500, 4000), "INP": (200, 500), "CLS": (0.1, 0.25)}
MORE = {"FCP": (1800, 3000), "TTFB": (800, 1800)}


async def main(args: argparse.Namespace) -> None:
    async with fresh_page(args.endpoint) as page:
        await page.Page.addScriptToEvaluateOnNewDocument(source=SCRIPT, worldName=WORLD)
        frame = await load(page, args.url, args.seconds)
        left: set[str] = set()
        page.on(page.Page.frameNavigated, lambda event: left.add(event["frame"]["id"]))
        if args.click:
            await click(page, args.click)
        try:
            world = await page.Page.createIsolatedWorld(frameId=frame, worldName=WORLD)
            context = world["executionContextId"]
            told = await page.Runtime.evaluate(
                expression="measured()", contextId=context, awaitPromise=True, returnByValue=True
            )
        except ProtocolError:  # a navigation destroyed its world during the call
            left.add(frame)
        if frame in left:
            sys.exit("The page navigated, and what had been measured went with it.")
    vitals = told["result"]["value"]
    for name, (good, poor) in (CORE | MORE).items():
        if (value := vitals[name]) is None:
            print_safely(
                f"{name:<5}       -     not seen{', for it takes a --click' * (name == 'INP')}"
            )
            continue
        rating = "good" if value <= good else "needs improvement" if value <= poor else "poor"
        print_safely(f"{name:<5}{value:8.3f}{'   ' if name == 'CLS' else ' ms'}  {rating}")
    print_safely(f"The largest paint was of {vitals['largest']}")


if __name__ == "__main__":
    parser = arguments(__doc__)
    parser.add_argument("--click", metavar="SELECTOR", help="what to click, for INP needs a user")
    run(main(parser.parse_args()))
