"""Suggestions of similar names for an unknown one."""

from __future__ import annotations

import pytest

from cdp_protocol.description import Description


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("Page.navigat", ["Page.navigate"]),
        ("page.navigate", ["Page.navigate"]),
        ("Pages.navigate", ["Page.navigate"]),
        ("navigate", ["Page.navigate"]),
        ("Runtme.evaluate", ["Runtime.evaluate"]),
        ("Runtime.eval", ["Runtime.evaluate"]),
        ("frameNavigated", ["Page.frameNavigated"]),
        ("DOM.Nod", ["DOM.Node"]),
        ("network", ["Network"]),
        ("Acessibility", ["Accessibility"]),
        ("", []),
        (".", []),
        ("Completely.different", []),
    ],
)
def test_the_likeliest_comes_first(name: str, meant: list[str]) -> None:
    assert Description.bundled().suggest(name)[:1] == meant


def test_a_part_of_a_name_finds_it() -> None:
    assert Description.bundled().suggest("bodyAsStream") == ["Fetch.takeResponseBodyAsStream"]


def test_at_most_three_names_are_suggested() -> None:
    assert len(Description.bundled().suggest("enable")) == 3


def test_the_choice_may_be_narrowed() -> None:
    bundled = Description.bundled()

    assert bundled.suggest("Page.loadEventFird") == ["Page.loadEventFired"]
    assert bundled.suggest("Page.loadEventFird", bundled.commands()) == []
