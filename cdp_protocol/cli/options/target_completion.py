"""Shell completion of target ids, if the browser answers quickly."""

from __future__ import annotations

import asyncio
from typing import Any

import orjson
from click.shell_completion import CompletionItem

from cdp_protocol.cli.options.browser_options import BrowserChoice
from cdp_protocol.discovery.endpoint import fetch_resource
from cdp_protocol.errors import CdpError
from cdp_protocol.sanitize.terminal import escape_control_characters

PATIENCE = 0.3  # seconds


def target_names(choice: BrowserChoice, begun: str) -> list[CompletionItem]:
    """Return the target ids with a prefix, and their titles; an empty list without an answer."""
    try:
        return [
            CompletionItem(each["id"], help=escape_control_characters(each["title"] or each["url"]))
            for each in asyncio.run(_listed_by(choice))
            if each["id"].lower().startswith(begun.lower())
        ]
    except (CdpError, TimeoutError, ValueError, LookupError, TypeError):
        return []


async def _listed_by(choice: BrowserChoice) -> Any:
    async with asyncio.timeout(PATIENCE):
        answer = await fetch_resource(choice.endpoint, "/json/list", choice.headers)
    return orjson.loads(answer.body)
