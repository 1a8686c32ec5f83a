"""Locators are written as code in two languages, which the parser reads again."""

from __future__ import annotations

import pytest

from viewpoint_mcp.accessibility.search.locator_code import render_locator
from viewpoint_mcp.accessibility.search.playwright_locator import parse_playwright_locator

LOCATORS = [
    ("getByRole('button', { name: 'Go' })", 'get_by_role("button", name="Go")'),
    (
        "getByRole('button', { name: 'It\\'s \"on\"', exact: true })",
        'get_by_role("button", name="It\'s \\"on\\"", exact=True)',
    ),
    ("getByRole('main')", 'get_by_role("main")'),
    ("getByLabel('Name', { exact: true })", 'get_by_label("Name", exact=True)'),
    ("getByPlaceholder('Search')", 'get_by_placeholder("Search")'),
    ("getByAltText('Chart')", 'get_by_alt_text("Chart")'),
    ("getByTitle('Help')", 'get_by_title("Help")'),
    ("getByTestId('cart')", 'get_by_test_id("cart")'),
    ("getByText('Grüße \\\\ 5')", 'get_by_text("Grüße \\\\ 5")'),
    (
        "getByRole('row').filter({ hasText: 'Anna' }).getByRole('button').first()",
        'get_by_role("row").filter(has_text="Anna").get_by_role("button").first',
    ),
    ("locator('#list > li:nth-child(2)').nth(3)", 'locator("#list > li:nth-child(2)").nth(3)'),
    (
        "locator('iframe[name=\"pay\"]').contentFrame().getByText('Card')",
        'locator("iframe[name=\\"pay\\"]").content_frame.get_by_text("Card")',
    ),
]


@pytest.mark.parametrize(("typescript", "python"), LOCATORS)
def test_a_locator_is_written_in_both_languages(typescript: str, python: str) -> None:
    steps = parse_playwright_locator(typescript)
    assert steps is not None
    assert render_locator(steps) == typescript
    assert render_locator(steps, "python") == python
    assert parse_playwright_locator(f"page.{python}") == steps


def test_a_test_id_searches_the_attributes_of_the_settings() -> None:
    text = {"text": "buy", "exact": True}
    steps = parse_playwright_locator("getByTestId('buy')", ("data-qa", "data-test"))
    assert steps == [{"kind": "testId", "names": ["data-qa", "data-test"], "text": text}]
    assert render_locator(steps) == "getByTestId('buy')"


@pytest.mark.parametrize("frame", ["frameLocator('#pay')", "locator('#pay').contentFrame()"])
def test_both_ways_into_a_frame_are_read(frame: str) -> None:
    css, enter = {"kind": "css", "selector": "#pay"}, {"kind": "frame"}
    assert parse_playwright_locator(f"page1.{frame}.locator('p')") == [
        *(css, enter, {"kind": "css", "selector": "p"}),
    ]
