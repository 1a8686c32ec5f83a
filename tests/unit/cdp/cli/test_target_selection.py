"""Which target a word means."""

from __future__ import annotations

import pytest

from cdp_protocol.cli.options.target_selection import choose_target, target_table_rows
from cdp_protocol.cli.run_command import Failure


def target(target_id: str, url: str, title: str = "") -> dict[str, object]:
    return {"targetId": target_id, "type": "page", "url": url, "title": title, "attached": False}


SHOP = target("ABCD1234EF", "http://shop.test/", "Möwe")
CART = target("ABCD9999EF", "http://shop.test/cart", "Cart 2")
BLANK = target("1234567890", "about:blank")
ALL = [SHOP, CART, BLANK]


@pytest.mark.parametrize(
    ("word", "meant"),
    [
        ("2", CART),
        ("ABCD9999EF", CART),
        ("abcd99", CART),
        ("1234", BLANK),
        ("MÖWE", SHOP),
        ("/cart", CART),
        ("about:", BLANK),
    ],
)
def test_a_word_selects_one_target(word: str, meant: dict[str, object]) -> None:
    assert choose_target(ALL, word) is meant


@pytest.mark.parametrize("word", ["abcd", "shop.test"])
def test_several_matching_targets_are_an_error_that_lists_them(word: str) -> None:
    with pytest.raises(Failure) as refused:
        choose_target(ALL, word)
    assert f'"{word}" matches 2 targets:' in refused.value.message
    assert "  2  page  ABCD9999  no        Cart 2  http://shop.test/cart" in refused.value.message
    assert "about:blank" not in refused.value.message


def test_no_matching_target_is_an_error_that_lists_all() -> None:
    with pytest.raises(Failure) as refused:
        choose_target(ALL, "4")
    assert 'No target has "4"' in refused.value.message
    assert "about:blank" in refused.value.message


def test_a_browser_without_targets_is_an_error_that_says_so() -> None:
    with pytest.raises(Failure, match="the browser has no targets"):
        choose_target([], "1")


def test_ids_are_shown_as_far_as_they_differ() -> None:
    alike = [target("ABCDEFGHIJ1", "a:"), target("ABCDEFGHIJ2", "b:")]
    assert [row[2] for row in target_table_rows(alike, alike)] == [
        "ID",
        "ABCDEFGHIJ1",
        "ABCDEFGHIJ2",
    ]
