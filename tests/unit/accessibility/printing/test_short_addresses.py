"""Addresses are shortened to what distinguishes them from their neighbours."""

from __future__ import annotations

import pytest

from tests.unit.accessibility.trees import element
from viewpoint_mcp.accessibility.printing.short_addresses import shorten_addresses
from viewpoint_mcp.accessibility.tree import Node

PAGE = "http://shop.example/orders/?customer=2&state=unpaid"


def link(name: str, url: str) -> Node:
    return element("link", name, url=url)


def addresses(*nodes: Node, page: str = PAGE) -> list[str]:
    """Return the addresses of all links as they are printed, in reading order."""
    found: list[str] = []
    pending = list(reversed(shorten_addresses(nodes, page)))
    while pending:
        node = pending.pop()
        if isinstance(node, Node):
            found += [node.properties["url"]] if "url" in node.properties else []
            pending.extend(reversed(node.children))
    return found


def rows(*links: Node) -> Node:
    return element("table", "", *(element("row", "", element("cell", "", each)) for each in links))


@pytest.mark.parametrize(
    ("url", "printed"),
    [
        ("?customer=2&state=unpaid&sort=total", "?…&sort=total"),
        ("/orders/?state=unpaid&customer=2&sort=total", "?…&sort=total"),
        ("http://shop.example/orders/?customer=2&state=unpaid", "?…"),
        ("?customer=3&state=unpaid&page=10", "?…&customer=3&page=10"),
        ("?state=unpaid", "?state=unpaid"),  # `customer` is missing
        (
            "?customer=2&sort=total-amount-of-the-order",
            "?customer=2&sort=total-amount-of-the-order",
        ),
        ("/teas/?customer=2&state=unpaid&sort=total", "/teas/?customer=2&state=unpaid&sort=total"),
        ("?state=unpaid&x", "?state=unpaid&x"),
    ],
)
def test_the_query_of_the_page_is_not_repeated(url: str, printed: str) -> None:
    assert addresses(link("Sort", url)) == [printed]


def test_rows_print_where_their_addresses_differ() -> None:
    table = rows(
        link("TT-1", "/admin/orders/81/change/?from=list"),
        link("TT-2", "/admin/orders/82/change/?from=list"),
        link("TT-3", "/admin/orders/83/delete/?from=list"),
        link("TT-4", "/help"),
        link("TT-5", "/help/orders/of/tea/5"),
    )
    assert addresses(table) == [
        "/admin/orders/81/change/?from=list",
        "…/82/…",
        "…/83/delete/…",
        "/help",
        "/help/orders/of/tea/5",
    ]


def test_an_address_that_follows_from_the_name_is_omitted() -> None:
    teas = rows(
        link("Sencha", "/teas/sencha/"),
        link("Earl Grey", "/teas/earl-grey/"),
        link("Oolong", "/teas/sold-out/"),
        link("Assam", "/teas/assam/"),
    )
    assert addresses(teas) == ["/teas/sencha/", "", "/teas/sold-out/", "/teas/assam/"]


def test_links_in_different_columns_are_not_compared() -> None:
    table = element(
        "table",
        "",
        element("row", "", link("1", "/orders/1/change/"), link("A", "/people/10/change/")),
        element("row", "", link("x", "/orders/2/change/"), link("y", "/people/11/change/")),
    )
    assert addresses(table) == ["/orders/1/change/", "/people/10/change/", "…/2/…", "…/11/…"]


def test_links_to_the_same_address_keep_it() -> None:
    assert addresses(rows(link("a", "/a/long/address"), link("b", "/a/long/address"))) == [
        "/a/long/address",
        "/a/long/address",
    ]


def test_links_in_different_lists_are_not_compared() -> None:
    url = "/admin/orders/{}/change/?from=list"
    lists = [element("list", "", element("listitem", "", link("a", url.format(n)))) for n in (1, 2)]
    assert addresses(*lists) == [url.format(1), url.format(2)]


def test_the_tree_itself_keeps_its_addresses() -> None:
    table = rows(link("x", "/admin/orders/1/change/"), link("y", "/admin/orders/2/change/"))
    shorten_addresses([table], PAGE)
    assert addresses(table.children[1], page=PAGE) == ["/admin/orders/2/change/"]  # type: ignore[arg-type]
