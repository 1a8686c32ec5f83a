"""Completion at the prompt of `cdp repl`."""

from __future__ import annotations

from typing import Any

import pytest

from cdp_protocol import Session
from cdp_protocol.cli.repl.completion import Completer
from cdp_protocol.description import Description


@pytest.fixture(scope="module")
def description() -> Description:
    return Description.bundled()


@pytest.fixture
def completer(page: Session, description: Description) -> Completer:
    names: dict[str, Any] = {"page": page, "browser": page.connection.root, "text": "Page"}
    return Completer(names, description)


@pytest.mark.parametrize(
    ("before", "begun", "matches"),
    [
        ("await ", "page.Netw", ["page.Network"]),
        (
            "await ",
            "page.Page.getRes",
            ["page.Page.getResourceContent(", "page.Page.getResourceTree("],
        ),
        ("show(", "page.Page.loadE", ["page.Page.loadEventFired"]),
        ("await page.Page.navigate(", "u", ["url="]),
        ('await page.Page.navigate(url="x", ', "ref", ["referrer=", "referrerPolicy="]),
        ('await page.Page.navigate(url="x", ', "ur", []),
        ('await page.send("', "Page.getRes", ["Page.getResourceContent", "Page.getResourceTree"]),
        ("explain('", "Page.loadEv", ["Page.loadEventFired"]),
        ("", "page.detac", []),
        ("", "brow", ["browser"]),
        ("", "text.Page", []),
        ("", "nobody.Page.na", []),
    ],
)
def test_a_line_is_completed(
    completer: Completer, before: str, begun: str, matches: list[str]
) -> None:
    assert completer.complete(before, begun) == matches


def test_python_names_are_completed_as_usual(completer: Completer) -> None:
    assert completer.complete("", "page.expe") == ["page.expect("]
    assert "import" in [match.strip() for match in completer.complete("", "impor")]


def test_the_parameters_of_a_command_are_shown_before_a_letter_is_typed(
    completer: Completer,
) -> None:
    assert completer.complete("await browser.Target.activateTarget(", "") == ["targetId="]
