"""Reads the description that a running browser serves."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Mapping
from typing import Any

import orjson

from cdp_protocol.discovery.endpoint import resource
from cdp_protocol.errors import EndpointError


async def served(
    endpoint: str, headers: Mapping[str, str], timeout: float
) -> tuple[dict[str, Any], str]:
    """Return the description and the revision of a browser; see `Description.served_by`."""
    try:
        async with asyncio.timeout(timeout):
            described = await _read(endpoint, "/json/protocol", headers)
            return described, _revision(await _read(endpoint, "/json/version", headers))
    except TimeoutError:
        raise EndpointError(endpoint, f"no answer within {timeout:g} s") from None


async def _read(endpoint: str, path: str, headers: Mapping[str, str]) -> dict[str, Any]:
    answer = await resource(endpoint, path, headers)
    if answer.status != 200:
        reason = f"{path} answered with status {answer.status}"
        raise EndpointError(endpoint, reason, status=answer.status)
    try:
        found = orjson.loads(answer.body)
    except orjson.JSONDecodeError:
        found = None
    if not isinstance(found, dict):
        raise EndpointError(endpoint, f"{path} answered with something else than JSON")
    return found


def _revision(version: Mapping[str, Any]) -> str:
    commit = re.search(r"@(\w{12})", str(version.get("WebKit-Version", "")))
    return str(version.get("Browser", "")) + (f" ({commit[1]})" if commit else "")
