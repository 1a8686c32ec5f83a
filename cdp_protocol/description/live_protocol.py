"""Reads the description that a running browser serves."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Mapping
from typing import Any

import orjson

from cdp_protocol.discovery.endpoint import fetch_resource
from cdp_protocol.errors import EndpointError


async def fetch_description_and_revision(
    endpoint: str, headers: Mapping[str, str], timeout: float
) -> tuple[dict[str, Any], str]:
    """Return the description and the revision of a browser; see `Description.served_by`."""
    try:
        async with asyncio.timeout(timeout):
            data = await _fetch_json(endpoint, "/json/protocol", headers)
            return data, _format_revision(await _fetch_json(endpoint, "/json/version", headers))
    except TimeoutError:
        raise EndpointError(endpoint, f"no response within {timeout:g} s") from None


async def _fetch_json(endpoint: str, path: str, headers: Mapping[str, str]) -> dict[str, Any]:
    response = await fetch_resource(endpoint, path, headers)
    if response.status != 200:
        reason = f"{path} answered with status {response.status}"
        raise EndpointError(endpoint, reason, status=response.status)
    try:
        data = orjson.loads(response.body)
    except orjson.JSONDecodeError:
        data = None
    if not isinstance(data, dict):
        raise EndpointError(endpoint, f"{path} did not return a JSON object")
    return data


def _format_revision(version: Mapping[str, Any]) -> str:
    commit = re.search(r"@(\w{12})", str(version.get("WebKit-Version", "")))
    return str(version.get("Browser", "")) + (f" ({commit[1]})" if commit else "")
