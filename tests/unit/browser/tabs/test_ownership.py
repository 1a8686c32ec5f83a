"""The context that owns a tab, if several clients share the browser's default context."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NoReturn

import pytest

from viewpoint_mcp.browser.context import BrowserContexts, Context, ContextIdentity, ContextOptions
from viewpoint_mcp.browser.tabs.ownership import TabOwnership
from viewpoint_mcp.browser.tabs.tab import Tab

if TYPE_CHECKING:
    from cdp_protocol.types.target import TargetInfo

OWN = "own"


async def never(*_: object) -> Any:
    raise AssertionError("Nothing is opened, closed or attached to.")


def no_storage(_: Context) -> NoReturn:
    raise AssertionError("No storage is read.")


def make_context(name: str, context_id: str | None) -> Context:
    identity = ContextIdentity(name, 0, name)
    options = ContextOptions()
    return Context(
        identity,
        context_id,
        options,
        open_tab=never,
        close_tab=never,
        refresh_tabs=never,
        make_storage=no_storage,
    )


def tab_info(
    target: str, context_id: str = OWN, opener: str | None = None, url: str = "http://a/"
) -> TargetInfo:
    info: TargetInfo = {
        "targetId": target,
        "type": "page",
        "title": "",
        "url": url,
        "attached": False,
        "canAccessOpener": False,
        "browserContextId": context_id,
    }
    return info if opener is None else {**info, "openerId": opener}


@pytest.fixture
def one() -> Context:
    """Return one client's view of the browser's default context, with a tab."""
    context = make_context("one", None)
    context.add_tab(Tab(tab_info("T1"), context, attach=never, is_owned=True))
    return context


@pytest.fixture
def two() -> Context:
    """Another's, without any."""
    return make_context("two", None)


@pytest.fixture
def isolated() -> Context:
    return make_context("isolated", "I")


def owning(*contexts: Context, is_launched: bool = True) -> TabOwnership:
    known = BrowserContexts()
    for context in contexts:
        known.add(context)
    ownership = TabOwnership(known, is_launched=is_launched)
    ownership.browser_default_id = OWN
    return ownership


def test_a_tab_of_a_named_context_is_found_by_the_contexts_id(
    one: Context, two: Context, isolated: Context
) -> None:
    ownership = owning(one, two, isolated)
    assert ownership.find_owner(tab_info("T", "I")) is isolated
    assert ownership.find_owner(tab_info("T", "of nobody we know")) is None


def test_with_one_client_all_tabs_of_the_default_context_are_its(
    one: Context, isolated: Context
) -> None:
    assert owning(one, isolated).find_owner(tab_info("T")) is one


@pytest.mark.parametrize("is_launched", [True, False])
def test_a_tab_is_its_openers(one: Context, two: Context, is_launched: bool) -> None:
    ownership = owning(two, one, is_launched=is_launched)
    assert ownership.find_owner(tab_info("T2", opener="T1")) is one
    assert ownership.find_owner(tab_info("T1")) is one


async def test_a_tab_that_appears_while_a_client_creates_one_is_that_clients(
    one: Context, two: Context
) -> None:
    ownership = owning(one, two)
    async with ownership.own_new_tabs(two):
        assert ownership.find_owner(tab_info("T2", url="about:blank")) is two
        assert ownership.find_owner(tab_info("T3", opener="T1")) is one
        assert ownership.find_owner(tab_info("T4")) is None
    assert ownership.find_owner(tab_info("T2", url="about:blank")) is None


def test_any_other_tab_is_the_users_or_in_a_launched_browser_without_an_owner(
    one: Context, two: Context
) -> None:
    assert owning(one, two, is_launched=False).find_owner(tab_info("T")) is one
    assert owning(one, two).find_owner(tab_info("T")) is None


async def test_a_tab_left_to_a_client_stays_its_while_others_create_tabs(
    one: Context, two: Context, isolated: Context
) -> None:
    ownership = owning(one, two, isolated, is_launched=False)
    async with ownership.own_new_tabs(one):
        assert ownership.find_owner(tab_info("T", url="about:blank"), fallback_owner=two) is two
        assert ownership.find_owner(tab_info("T1"), fallback_owner=two) is one
        assert ownership.find_owner(tab_info("T", "I"), fallback_owner=two) is isolated
