"""--codegen and browser_export_script, through a server."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import pytest

from tests.e2e.conftest import OpenHere
from tests.e2e.support.client import Reply, ServerClient
from tests.site import Site

SHOP = """<title>Shop</title><button onclick="document.body.append('Clicked')">Go</button>
<button onclick="if (confirm('Sure?')) document.body.append(prompt('Name?'))">Ask</button>
<label>Email <input></label><label>Size <select><option value=s>Small<option value=m>Medium</select>
</label><label><input type=checkbox id=news> News</label><a href="/other" target=_blank>Other</a>
<input type=file aria-label=File hidden>
<button onclick="document.querySelector('[type=file]').click()">Upload</button>
<button data-qa=buy>Buy</button>"""


@pytest.fixture(scope="module")
async def coder(
    open_here: OpenHere, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[ServerClient]:
    """Return a server with codegen that the tests of the module share."""
    async with open_here("--codegen=typescript", cwd=tmp_path_factory.mktemp("code")) as client:
        await client.initialize()
        yield client


@pytest.fixture
async def tester(open_here: OpenHere, tmp_path: Any) -> AsyncIterator[ServerClient]:
    """Return a server with testing, for one test: it records a session of its own."""
    async with open_here("--caps=testing", "--test-id-attribute=data-qa", cwd=tmp_path) as client:
        await client.initialize()
        yield client


def code_of(reply: Reply) -> str:
    """Return the code in a reply; "" for none."""
    section = reply.sections.get("Ran Playwright code", "")
    return section.removeprefix("```js\n").removeprefix("```python\n").removesuffix("\n```")


@pytest.mark.parametrize(
    ("tool", "arguments", "code"),
    [
        (
            "browser_click",
            {"ref": 'button "Go"'},
            "await page.getByRole('button', { name: 'Go' }).click();",
        ),
        (
            "browser_click",
            {"ref": 'button "Go"', "doubleClick": True, "modifiers": ["Shift"]},
            "await page.getByRole('button', { name: 'Go' }).dblclick({ modifiers: ['Shift'] });",
        ),
        (
            "browser_type",
            {"ref": 'textbox "Email"', "text": "a@b.c", "submit": True},
            (
                "await page.getByRole('textbox', { name: 'Email' }).fill('a@b.c');\n"
                "await page.getByRole('textbox', { name: 'Email' }).press('Enter');"
            ),
        ),
        (
            "browser_select_option",
            {"ref": "select", "values": ["Medium"]},
            "await page.getByRole('combobox', { name: 'Size' }).selectOption('Medium');",
        ),
        (
            "browser_fill_form",
            {"fields": [{"name": "News", "type": "checkbox", "ref": "#news", "value": "true"}]},
            "await page.getByRole('checkbox', { name: 'News' }).setChecked(true);",
        ),
        ("browser_press_key", {"key": "Tab"}, "await page.keyboard.press('Tab');"),
        ("browser_resize", {"width": 700, "height": 500}, None),
        (
            "browser_evaluate",
            {"function": "const a = 1; a + 1"},
            "await page.evaluate(() => { const a = 1; a + 1 });",
        ),
        ("browser_snapshot", {}, ""),
        ("browser_click", {"ref": 'button "Missing"'}, ""),
        (
            "browser_batch",
            {
                "calls": [
                    {"tool": "browser_hover", "arguments": {"ref": 'button "Go"'}},
                    {"tool": "browser_press_key", "arguments": {"key": "Enter"}},
                ]
            },
            (
                "await page.getByRole('button', { name: 'Go' }).hover();\n"
                "await page.keyboard.press('Enter');"
            ),
        ),
    ],
)
async def test_the_reply_to_an_action_has_its_code(
    coder: ServerClient, site: Site, tool: str, arguments: dict[str, Any], code: str | None
) -> None:
    await coder.call("browser_navigate", url=site.page(SHOP))
    reply = await coder.call(tool, **arguments)
    if code is None:
        code = "await page.setViewportSize({ width: 700, height: 500 });"
    assert code_of(reply) == code
    if code and "Snapshot" in reply.sections:
        assert reply.text.index("### Result") < reply.text.index("### Ran Playwright code")
        assert reply.text.index("### Ran Playwright code") < reply.text.index("### Snapshot")


async def test_a_popup_gets_a_variable_that_later_code_uses(
    coder: ServerClient, site: Site
) -> None:
    url = site.page(SHOP.replace("/other", site.page("<button>Inside</button>")))
    await coder.call("browser_navigate", url=url)
    opened = code_of(await coder.call("browser_click", ref='link "Other"'))
    first, click, last = opened.splitlines()
    name = last.removeprefix("const ").partition(" ")[0]
    assert first == f"const {name}Promise = page.waitForEvent('popup');"
    assert click == "await page.getByRole('link', { name: 'Other' }).click();"
    await coder.call("browser_tabs", action="select", index=1)
    inside = code_of(await coder.call("browser_click", ref='button "Inside"'))
    assert inside == f"await {name}.getByRole('button', {{ name: 'Inside' }}).click();"
    assert code_of(await coder.call("browser_tabs", action="close")) == f"await {name}.close();"


async def test_code_is_python_if_the_flag_says_so_and_secrets_are_names(
    open_here: OpenHere, tmp_path: Any, site: Site
) -> None:
    (tmp_path / "secrets.env").write_text("PASSWORD=correct horse\n")
    flags = ("--codegen=python", "--secrets=secrets.env")
    async with open_here(*flags, cwd=tmp_path) as client:
        await client.initialize()
        await client.call("browser_navigate", url=site.page(SHOP))
        reply = await client.call("browser_type", ref='textbox "Email"', text="PASSWORD")
    assert "### Ran Playwright code\n```python\n" in reply.text
    assert code_of(reply) == (
        'page.get_by_role("textbox", name="Email").fill(os.environ["PASSWORD"])'
    )


SESSION: list[tuple[str, dict[str, Any]]] = [
    ("browser_click", {"ref": 'button "Ask"'}),
    ("browser_handle_dialog", {"accept": True}),
    ("browser_handle_dialog", {"accept": True, "promptText": "Anna"}),
    ("browser_verify_text_visible", {"text": "Anna"}),
    ("browser_click", {"ref": 'button "Missing"'}),
    ("browser_click", {"ref": 'button "Upload"'}),
    ("browser_file_upload", {"paths": ["note.txt"]}),
    ("browser_click", {"ref": "getByTestId('buy')"}),
    ("browser_verify_element_visible", {"role": "button", "accessibleName": "Buy"}),
    ("browser_verify_value", {"type": "checkbox", "ref": "#news", "value": "false"}),
    ("browser_context_create", {"name": "guest", "emulate": {"locale": "de-DE"}}),
    ("browser_navigate", {"url": "URL"}),
    ("browser_context_close", {"name": "guest"}),
]
SCRIPT = """\
import { test, expect } from '@playwright/test';

test.use({ testIdAttribute: 'data-qa' });

test('recorded session', async ({ page, browser }) => {
  await page.goto('URL');
  page.once('dialog', dialog => { page.once('dialog', dialog => dialog.accept('Anna')); \
return dialog.accept(); });
  await page.getByRole('button', { name: 'Ask' }).click();
  await expect(page.getByText('Anna')).toBeVisible();
  const fileChooserPromise = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Upload' }).click();
  const fileChooser = await fileChooserPromise;
  await fileChooser.setFiles(['note.txt']);
  await page.getByTestId('buy').click();
  await expect(page.getByRole('button', { name: 'Buy' })).toBeVisible();
  await expect(page.getByRole('checkbox', { name: 'News' })).not.toBeChecked();
  // Context "guest"
  const context1 = await browser.newContext({ locale: 'de-DE' });
  const page1 = await context1.newPage();
  await page1.goto('URL');
  await context1.close();
});
"""


async def test_a_session_is_exported_with_dialogs_uploads_contexts_and_verifications(
    tester: ServerClient, site: Site
) -> None:
    url = site.page(SHOP)
    (tester.cwd / "note.txt").write_text("x")
    reply = await tester.call("browser_navigate", url=url)
    assert "Ran Playwright code" not in reply.text
    for tool, arguments in SESSION:
        given: dict[str, Any] = {
            name: url if value == "URL" else value for name, value in arguments.items()
        }
        await tester.call(tool, **given)
    saved = await tester.call("browser_export_script", filename="shop")
    assert saved.sections["Result"] == (
        "Test saved to shop.spec.ts (9 actions, 3 verifications)\nLeft out: 1 failed call"
    )
    assert (tester.cwd / "shop.spec.ts").read_text() == SCRIPT.replace("URL", url)


async def test_a_session_is_exported_in_python_to_a_new_file(
    tester: ServerClient, site: Site
) -> None:
    assert "Act on a page" in (await tester.call("browser_export_script")).text
    await tester.call("browser_navigate", url=site.page(SHOP))
    saved = await tester.call("browser_export_script", language="python")
    path = saved.sections["Result"].removeprefix("Test saved to ").partition(" ")[0]
    text = (tester.cwd / path).read_text()
    compile(text, path, "exec")
    assert '    playwright.selectors.set_test_id_attribute("data-qa")\n' in text


async def test_what_playwright_cannot_do_becomes_a_comment(
    tester: ServerClient, site: Site
) -> None:
    await tester.call("browser_navigate", url=site.page("<p>Select a part of this text"))
    await tester.call("browser_select_text", ref="p", text="part")
    saved = await tester.call("browser_export_script", filename="part.spec.ts")
    comment = "browser_select_text has no equivalent in Playwright: it selected a part of a text."
    assert f"As a comment: {comment}" in saved.sections["Result"]
    assert f"  // {comment}\n" in (tester.cwd / "part.spec.ts").read_text()


async def test_code_and_export_are_off_by_default(shared_server: ServerClient, site: Site) -> None:
    await shared_server.call("browser_navigate", url=site.page(SHOP))
    reply = await shared_server.call("browser_click", ref='button "Go"')
    assert "Ran Playwright code" not in reply.text
