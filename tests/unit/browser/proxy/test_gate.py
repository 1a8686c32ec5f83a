"""What the gate of a context tells of what it refused."""

from __future__ import annotations

import pytest

from viewpoint_mcp.browser.proxy.gate import Gate, Refused
from viewpoint_mcp.config.origins import parse_origins
from viewpoint_mcp.config.settings import OriginRules


def refused(host: str) -> Gate:
    gate = Gate(OriginRules(parse_origins("a.test")))
    with pytest.raises(Refused):
        gate.check("https", host, 443)
    return gate


def test_where_chromium_goes_by_itself_is_told_only_if_a_page_was_to_show_it() -> None:
    assert refused("accounts.google.com").take_events({"a.test"}) == []
    told = refused("accounts.google.com").take_events({"a.test", "accounts.google.com"})
    assert told == ["Refused by --allowed-origins: https://accounts.google.com (1 attempt)"]


def test_what_was_asked_for_once_is_not_told_later() -> None:
    gate = refused("accounts.google.com")
    assert gate.take_events(()) == []
    assert gate.take_events({"accounts.google.com"}) == []


def test_where_pages_go_too_is_told() -> None:
    told = refused("www.google.com").take_events(())
    assert told == ["Refused by --allowed-origins: https://www.google.com (1 attempt)"]
