"""Attribute paths become wire names."""

from __future__ import annotations

import pytest

from cdp_protocol import Connection, Session
from tests.unit.cdp.fake_transport import FakeTransport


async def test_a_method_call_becomes_a_command(page: Session, transport: FakeTransport) -> None:
    transport.set_result("Page.navigate", {"frameId": "F"})

    assert await page.Page.navigate(url="about:blank") == {"frameId": "F"}
    assert transport.sent[-1]["method"] == "Page.navigate"
    assert transport.sent[-1]["params"] == {"url": "about:blank"}


async def test_arguments_that_are_none_are_not_sent(
    page: Session, transport: FakeTransport
) -> None:
    await page.Page.reload(ignoreCache=False, loaderId=None)

    assert transport.sent[-1]["params"] == {"ignoreCache": False}


def test_an_event_is_named_by_its_path() -> None:
    session = Connection(FakeTransport()).root

    assert session.Page.frameNavigated.name == "Page.frameNavigated"
    assert repr(session.Page.frameNavigated) == "<Page.frameNavigated>"
    assert repr(session.Page) == "<Page>"


def test_domains_and_members_are_made_once() -> None:
    session = Connection(FakeTransport()).root

    assert session.Page is session.Page
    assert session.Page.navigate is session.Page.navigate


def test_domains_and_members_are_listed_for_completion() -> None:
    session = Connection(FakeTransport()).root

    assert {"Page", "WebAudio", "send", "on"} <= set(dir(session))
    assert {"navigate", "loadEventFired"} <= set(dir(session.Page))
    assert "navigate" not in dir(session.Runtime)


def test_an_unknown_domain_lists_no_members() -> None:
    domain = Connection(FakeTransport()).root.Folding  # type: ignore[attr-defined]

    assert [name for name in dir(domain) if not name.startswith("_")] == []


def test_only_capitalised_names_are_domains() -> None:
    session = Connection(FakeTransport()).root

    with pytest.raises(AttributeError, match="'Browser' object has no attribute 'page'"):
        session.page  # type: ignore[attr-defined]  # noqa: B018
    with pytest.raises(AttributeError):
        session.Page.__wrapped__  # type: ignore[attr-defined]  # noqa: B018


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("Page.navigate", "Page.navigate accepts only keywords: Page.navigate(url=…)."),
        (
            "Page.enable",
            "Page.enable accepts only keywords: Page.enable(enableFileChooserOpenedEvent=…).",
        ),
        ("Page.bringToFront", "Page.bringToFront takes no arguments."),
        ("Page.navigat", "Page.navigat accepts only keywords: Page.navigat(name=…)."),
    ],
)
def test_positional_arguments_are_refused_with_their_names(name: str, sentence: str) -> None:
    domain, _, command = name.partition(".")
    call = getattr(getattr(Connection(FakeTransport()).root, domain), command)

    with pytest.raises(TypeError) as caught:
        call("https://a.test")
    assert str(caught.value) == sentence
