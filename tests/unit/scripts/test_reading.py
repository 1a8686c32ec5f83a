"""The replay of sessions: refs in replies, and which of them stay valid."""

from __future__ import annotations

import pytest

from scripts.reading.ref_ranges import find_ranges, is_in_ranges
from scripts.reading.servers import ADAPTERS
from scripts.reading.steps import Target

ADAPTER = ADAPTERS["viewpoint-mcp"]
REPLY = """
- navigation "Sidebar":
  - link "Orders" [ref=e12] -> /orders/
- main: 'button "Save" [ref=e31] | link "Orders" [ref=e32] -> /orders/'
"""
NEXT_REPLY = """
- navigation "Sidebar": same as before (e1-e30)
- main:
  - region "Filter": same as before (e33-e35, e40, f1e2-f1e9)
  - paragraph: same as before
"""


def test_ranges_of_regions_that_a_reply_repeats() -> None:
    assert find_ranges(NEXT_REPLY) == ["e1-e30", "e33-e35", "e40", "f1e2-f1e9"]
    assert find_ranges(REPLY) == []


@pytest.mark.parametrize("ref", ["e1", "e30", "e34", "e40", "f1e2", "f1e9"])
def test_ranges_include_their_ends(ref: str) -> None:
    assert is_in_ranges(ref, find_ranges(NEXT_REPLY))


@pytest.mark.parametrize("ref", ["e0", "e31", "e41", "f1e1", "f2e5", "p2e5"])
def test_other_refs_are_not_in_the_ranges(ref: str) -> None:
    assert not is_in_ranges(ref, find_ranges(NEXT_REPLY))


def test_only_refs_in_the_ranges_are_found_in_an_older_reply() -> None:
    ranges = find_ranges(NEXT_REPLY)
    assert ADAPTER.find_ref(Target("link", "Orders"), REPLY, ranges) == "e12"
    assert ADAPTER.find_ref(Target("link", "Orders", after="Save"), REPLY) == "e32"
    assert ADAPTER.find_ref(Target("link", "Orders", after="Save"), REPLY, ranges) is None
