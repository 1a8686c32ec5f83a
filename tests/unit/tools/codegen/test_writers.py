"""Statements are written in TypeScript and in Python."""

from __future__ import annotations

import pytest

from viewpoint_mcp.accessibility.search.playwright_locator import Step
from viewpoint_mcp.tools.codegen.python_writer import PythonWriter
from viewpoint_mcp.tools.codegen.statements import (
    Comment,
    DialogAnswer,
    Expectation,
    LocatorArgument,
    Method,
    PageFunction,
    Passage,
    Statement,
    UrlPart,
)
from viewpoint_mcp.tools.codegen.typescript_writer import TypeScriptWriter

SECRETS = {"PASSWORD": "correct horse"}
TYPESCRIPT, PYTHON = TypeScriptWriter(SECRETS), PythonWriter(SECRETS)
GO: list[Step] = [{"kind": "role", "role": "button", "text": {"text": "Go", "exact": False}}]
CLICK = Method("page", "click", steps=GO)
GO_TS = "await page.getByRole('button', { name: 'Go' })"
CLICK_TS = "await page.getByRole('button', { name: 'Go' }).click();"
CLICK_PY = 'page.get_by_role("button", name="Go").click()'


@pytest.mark.parametrize(
    ("statement", "typescript", "python"),
    [
        (CLICK, CLICK_TS, CLICK_PY),
        (
            Method("page1", "click", (), {"button": "right", "modifiers": ["Shift"]}, GO),
            f"{GO_TS.replace('page', 'page1')}.click({{ button: 'right', modifiers: ['Shift'] }});",
            'page1.get_by_role("button", name="Go").click(button="right", modifiers=["Shift"])',
        ),
        (
            Method("page", "fill", ('It\'s\n"so"',), steps=GO),
            "await page.getByRole('button', { name: 'Go' }).fill('It\\'s\\n\"so\"');",
            'page.get_by_role("button", name="Go").fill("It\'s\\n\\"so\\"")',
        ),
        (
            Method("page", "fill", ("correct horse",), steps=GO),
            "await page.getByRole('button', { name: 'Go' }).fill(process.env['PASSWORD']);",
            'page.get_by_role("button", name="Go").fill(os.environ["PASSWORD"])',
        ),
        (
            Method("page", "keyboard.press", ("Control+a",)),
            "await page.keyboard.press('Control+a');",
            'page.keyboard.press("Control+a")',
        ),
        (
            Method("page", "setViewportSize", ({"width": 7, "height": 5},)),
            "await page.setViewportSize({ width: 7, height: 5 });",
            'page.set_viewport_size({"width": 7, "height": 5})',
        ),
        (
            Method("page", "dragTo", (LocatorArgument("page", GO),), steps=GO),
            f"{GO_TS}.dragTo(page.getByRole('button', {{ name: 'Go' }}));",
            'page.get_by_role("button", name="Go").drag_to(page.get_by_role("button", name="Go"))',
        ),
        (
            Method("page", "waitForURL", (UrlPart("/cart"),)),
            "await page.waitForURL(url => url.href.includes('/cart'));",
            'page.wait_for_url(lambda url: "/cart" in url)',
        ),
        (
            Method("browser", "newContext", (), {"timezoneId": "UTC"}, result="context1"),
            "const context1 = await browser.newContext({ timezoneId: 'UTC' });",
            'context1 = browser.new_context(timezone_id="UTC")',
        ),
        (
            Method("page", "evaluate", ("f", [None, True, 0.5])),
            "await page.evaluate('f', [null, true, 0.5]);",
            'page.evaluate("f", [None, True, 0.5])',
        ),
        (
            Method("page", "evaluate", (PageFunction("(a) => a"), 1)),
            "await page.evaluate((a) => a, 1);",
            'page.evaluate("(a) => a", 1)',
        ),
        (
            Expectation("page", GO, "toBeChecked", is_negated=True),
            "await expect(page.getByRole('button', { name: 'Go' })).not.toBeChecked();",
            'expect(page.get_by_role("button", name="Go")).not_to_be_checked()',
        ),
        (
            Expectation("page", GO, "toHaveAttribute", ("aria-valuenow", "5")),
            f"await expect({GO_TS.removeprefix('await ')}).toHaveAttribute('aria-valuenow', '5');",
            'expect(page.get_by_role("button", name="Go")).to_have_attribute("aria-valuenow", "5")',
        ),
        (Comment("Later"), "// Later", "# Later"),
    ],
)
def test_a_statement_is_written_in_both_languages(
    statement: Statement, typescript: str, python: str
) -> None:
    assert TYPESCRIPT.write_statement(statement) == [typescript]
    assert PYTHON.write_statement(statement) == [python]


def test_a_popup_and_a_file_chooser_are_awaited_around_the_action() -> None:
    passage = Passage("page", [CLICK], popups=["page1"], file_chooser="fileChooser")
    assert TYPESCRIPT.write_passage(passage) == [
        "const page1Promise = page.waitForEvent('popup');",
        "const fileChooserPromise = page.waitForEvent('filechooser');",
        CLICK_TS,
        "const page1 = await page1Promise;",
        "const fileChooser = await fileChooserPromise;",
    ]
    assert PYTHON.write_passage(passage) == [
        "with page.expect_popup() as page1_info:",
        "    with page.expect_file_chooser() as file_chooser_info:",
        f"        {CLICK_PY}",
        "page1 = page1_info.value",
        "file_chooser = file_chooser_info.value",
    ]


def test_dialogs_are_answered_in_their_order() -> None:
    answers = [DialogAnswer(accepts=True), DialogAnswer(accepts=True, prompt_text="Anna")]
    passage = Passage("page", [CLICK], dialog_answers=[*answers, DialogAnswer(accepts=False)])
    last = "page.once('dialog', dialog => dialog.dismiss());"
    second = f"page.once('dialog', dialog => {{ {last} return dialog.accept('Anna'); }});"
    first = f"page.once('dialog', dialog => {{ {second} return dialog.accept(); }});"
    assert TYPESCRIPT.write_passage(passage) == [first, CLICK_TS]
    line, _ = PYTHON.write_passage(passage)
    compile(line, "", "eval")
    assert line.endswith('dialog.accept("Anna"))), dialog.accept()))')


def test_a_block_of_python_is_never_empty() -> None:
    passage = Passage("page", [Comment("Unknown")], popups=["page1"])
    compile("\n".join(PYTHON.write_passage(passage)), "", "exec")


def test_further_popups_are_found_by_their_position() -> None:
    passage = Passage("page", [CLICK], popups=["page1", "page2", "page3"])
    assert TYPESCRIPT.write_passage(passage)[-2:] == [
        "const page2 = page.context().pages().at(-2)!;",
        "const page3 = page.context().pages().at(-1)!;",
    ]
    assert PYTHON.write_passage(passage)[-2:] == [
        "page2 = page.context.pages[-2]",
        "page3 = page.context.pages[-1]",
    ]


def test_a_test_takes_only_the_fixtures_that_it_uses() -> None:
    text = TYPESCRIPT.write_test(["await page.goto('context');"], {}, "")
    assert "test('recorded session', async ({ page }) => {\n  await page.goto" in text
    assert "test.use" not in text
    text = PYTHON.write_test(['page.goto("browser")', "context.new_page()"], {}, "")
    assert "def test_recorded_session(page: Page, context: BrowserContext) -> None:" in text
    assert "import BrowserContext, Page\n" in text
    compile(text, "", "exec")


def test_a_test_has_the_options_of_the_context_and_the_test_id_attribute() -> None:
    options = {"locale": "de-DE", "viewport": {"width": 7, "height": 5}}
    assert TYPESCRIPT.write_test(["await page.goto('x');"], options, "data-qa").startswith(
        "import { test, expect } from '@playwright/test';\n\n"
        "test.use({ testIdAttribute: 'data-qa', locale: 'de-DE', "
        "viewport: { width: 7, height: 5 } });\n"
    )
    text = PYTHON.write_test(['page.fill(os.environ["A"])'], options, "data-qa")
    compile(text, "", "exec")
    assert text.startswith("import os\n\nimport pytest\n")
    assert '{**browser_context_args, "locale": "de-DE", "viewport": {"width": 7' in text
    assert '    playwright.selectors.set_test_id_attribute("data-qa")\n' in text
