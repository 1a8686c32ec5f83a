"""Eager and lazy exports of the package have the same types. The module is checked, never run."""

from __future__ import annotations

from typing import assert_type

import cdp_protocol


async def what_is_imported_later_is_typed() -> None:
    assert_type(cdp_protocol.connect("9222"), cdp_protocol.Opening[cdp_protocol.Browser])
    assert_type(await cdp_protocol.websocket_url("9222"), str)
    cdp_protocol.connet("9222")  # type: ignore[attr-defined]  # misspelt
    cdp_protocol.connect(endpont="9222")  # type: ignore[call-arg]  # misspelt argument
    await cdp_protocol.websocket_url(9222)  # type: ignore[arg-type]  # wrong type
