"""Shell completion of target ids, if the browser answers quickly."""

from __future__ import annotations

import asyncio
from typing import Any

import orjson
from click.shell_completion import CompletionItem

from cdp_protocol.cli.options.browser_options import BrowserChoice
from cdp_protocol.discovery.endpoint import fetch_resource
from cdp_protocol.errors import CdpError
from cdp_protocol.sanitize.terminal_escaping import escape_control_characters

RESPONSE_TIMEOUT = 0.3  # seconds


def complete_target_ids(choice: BrowserChoice, prefix: str) -> list[CompletionItem]:
    """Return the target ids with a prefix, and their titles; an empty list without a response."""
    try:
        return [
            CompletionItem(each["id"], help=escape_control_characters(each["title"] or each["url"]))
            for each in asyncio.run(_fetch_targets(choice))
            if each["id"].lower().startswith(prefix.lower())
        ]
    except (CdpError, TimeoutError, ValueError, LookupError, TypeError):
        return []


async def _fetch_targets(choice: BrowserChoice) -> list[dict[str, Any]]:
    async with asyncio.timeout(RESPONSE_TIMEOUT):
        response = await fetch_resource(choice.endpoint, "/json/list", choice.headers)
    targets: list[dict[str, Any]] = orjson.loads(response.body)
    return targets
