"""Parsing of Playwright's locators and selectors into steps."""

from __future__ import annotations

from typing import Any

import pytest

from viewpoint_mcp.accessibility.search.playwright_locator import parse_playwright_locator
from viewpoint_mcp.errors import CallError


def part(text: str, *, exact: bool = False) -> dict[str, Any]:
    return {"text": text, "exact": exact}


def whole(text: str) -> dict[str, Any]:
    return part(text, exact=True)


BUTTON = {"kind": "role", "role": "button"}
SAVE = {**BUTTON, "text": part("Save")}
FIRST = {"kind": "nth", "index": 0}
PAY = {"kind": "text", "text": part("Pay")}


@pytest.mark.parametrize(
    "text",
    [
        *(
            "e12",
            "#save",
            "button",
            "a[href='x']",
            "main > p",
            'button "Save"',
            "",
            "[role=button]",
        ),
        *("li:nth-child(2)", 'a[title="text=x"]', "getbyrole", "page.title"),
    ],
)
def test_a_selector_of_css_is_no_locator(text: str) -> None:
    assert parse_playwright_locator(text) is None


@pytest.mark.parametrize(
    ("text", "steps"),
    [
        ("getByRole('button')", [BUTTON]),
        ("getByRole('button', { name: 'Save' })", [SAVE]),
        ("await page.getByRole('button', {name: \"Save\"});", [SAVE]),
        (
            "page.get_by_role(\"button\", name='Save', exact=True)",
            [{**BUTTON, "text": whole("Save")}],
        ),
        (
            "getByRole('button', { name: /sa[/]ve/i })",
            [{**BUTTON, "text": {"regex": "sa[/]ve", "flags": "i"}}],
        ),
        (
            "getByRole('heading', { level: 2, checked: false })",
            [{"kind": "role", "role": "heading", "states": {"level": 2, "checked": False}}],
        ),
        ("getByText('Pay')", [PAY]),
        ("getByText('It\\'s  on', { exact: true })", [{"kind": "text", "text": whole("It's on")}]),
        ("getByLabel('Name')", [{"kind": "label", "text": part("Name")}]),
        (
            "getByPlaceholder('Search')",
            [{"kind": "attribute", "name": "placeholder", "text": part("Search")}],
        ),
        (
            "getByTestId('cart')",
            [{"kind": "testId", "names": ["data-testid"], "text": whole("cart")}],
        ),
        ("getByRole('button').first()", [BUTTON, FIRST]),
        ("getByRole('button').nth(-2)", [BUTTON, {"kind": "nth", "index": -2}]),
        (
            "locator('#list').getByText('Pay')\n  .last()",
            [{"kind": "css", "selector": "#list"}, PAY, {"kind": "nth", "index": -1}],
        ),
        (
            "getByRole('button').filter({ hasText: 'Save', hasNotText: /x/ })",
            [
                BUTTON,
                {"kind": "hasText", "text": part("Save")},
                {"kind": "hasNotText", "text": {"regex": "x", "flags": ""}},
            ],
        ),
        (
            "locator('li', { hasText: 'Save' })",
            [{"kind": "css", "selector": "li"}, {"kind": "hasText", "text": part("Save")}],
        ),
        ("text=Pay", [PAY]),
        ('text="Pay"', [{"kind": "text", "text": whole("Pay")}]),
        ("text=/pay/i", [{"kind": "text", "text": {"regex": "pay", "flags": "i"}}]),
        ("role=button", [BUTTON]),
        ("role=button[name='Save']", [SAVE]),
        (
            'role=button[name="Save" s][pressed]',
            [{**BUTTON, "text": whole("Save"), "states": {"pressed": True}}],
        ),
        (
            "#list > li >> text=Pay >> nth=0",
            [{"kind": "css", "selector": "#list > li"}, PAY, FIRST],
        ),
        ("data-testid=cart", [{"kind": "attribute", "name": "data-testid", "text": whole("cart")}]),
        ("css=a[title='>>']", [{"kind": "css", "selector": "a[title='>>']"}]),
    ],
)
def test_a_locator_is_a_list_of_steps(text: str, steps: list[Any]) -> None:
    assert parse_playwright_locator(text) == steps


@pytest.mark.parametrize(
    "text",
    [
        *("getByRole(", "getByRole('button'", "getByRole(button)", "getByRole('a', 'b')"),
        *("getByRole('button').click()", "getByRole('button', { nome: 'x' })", "getByText()"),
        *("locator('a').filter({ has: locator('b') })", "getByText('a').nth('x')", "locator('a')!"),
        *("role=button[nome='x']", "role=button[name=", "nth=x", "getByText('a\\')", "a >>"),
        *("getByRole('button', {", "getByRole('button', { name })", "getByText(`a${b}` + c)"),
    ],
)
def test_a_malformed_locator_is_refused_with_the_supported_forms(text: str) -> None:
    with pytest.raises(CallError, match="getByRole, getByText"):
        parse_playwright_locator(text)
