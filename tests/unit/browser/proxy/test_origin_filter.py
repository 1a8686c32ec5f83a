"""Reports of a context's gate about refused connections."""

from __future__ import annotations

import pytest

from viewpoint_mcp.browser.proxy.origin_filter import OriginFilter, OriginRefusedError
from viewpoint_mcp.config.origins import parse_origins
from viewpoint_mcp.config.settings import OriginRules


def gate_after_refusal(host: str) -> OriginFilter:
    gate = OriginFilter(OriginRules(parse_origins("a.test")))
    with pytest.raises(OriginRefusedError):
        gate.raise_if_not_allowed("https", host, 443)
    return gate


def test_a_refused_host_of_chromium_itself_is_reported_only_if_a_page_navigated_to_it() -> None:
    assert gate_after_refusal("accounts.google.com").pop_events({"a.test"}) == []
    events = gate_after_refusal("accounts.google.com").pop_events({"a.test", "accounts.google.com"})
    assert events == ["Refused by --allowed-origins: https://accounts.google.com (1 attempt)"]


def test_a_refusal_before_the_navigation_is_not_reported_later() -> None:
    gate = gate_after_refusal("accounts.google.com")
    assert gate.pop_events(()) == []
    assert gate.pop_events({"accounts.google.com"}) == []


def test_a_refused_host_of_pages_is_reported() -> None:
    events = gate_after_refusal("www.google.com").pop_events(())
    assert events == ["Refused by --allowed-origins: https://www.google.com (1 attempt)"]
