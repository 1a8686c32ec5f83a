"""The tools that verify the page for a test, and generate locators (`--caps testing`)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Final, Literal

from msgspec import Meta

from viewpoint_mcp.accessibility.printing.sentence_quotes import quote_in_sentence
from viewpoint_mcp.page.shorten import shorten
from viewpoint_mcp.tools.core.args import Args, ElementDescription, Ref, TypedText
from viewpoint_mcp.tools.core.result import ToolResult
from viewpoint_mcp.tools.core.tool import page_tool

_MAX_TEXT: Final = 80  # characters of a text in a reply

if TYPE_CHECKING:
    from viewpoint_mcp.page.page import Page


class VerifyElementVisibleArgs(Args):
    role: Annotated[str, Meta(description="Role, as in a snapshot")]
    """Role of the element, as a snapshot prints it: `button`, `heading`."""
    accessible_name: Annotated[str, Meta(description="Name, as in a snapshot")]
    """Accessible name, or a part of it, in any case. An empty name fits every element with the
    role."""


@page_tool(
    "browser_verify_element_visible",
    title="Verify element visible",
    kind="read",
    capability="testing",
)
async def verify_element_visible(page: Page, args: VerifyElementVisibleArgs) -> ToolResult:
    """Verify that an element is visible on the page.

    All frames are searched. The page is not waited for: actions have settled already.

    Reply: `Done`, and the element with a ref. If several elements match, also their number.

    Errors: no such element is visible. The message lists similar elements with refs.
    """
    match = await page.elements.test_support.verify_role(args.role, args.accessible_name)
    text = _describe_match(match.element.label, str(match.element.ref), match.count)
    return ToolResult(text, verified=match)


class VerifyTextVisibleArgs(Args):
    text: str
    """Text, or a part of it, in any case. White space does not matter. One element must contain
    it, with the elements inside."""


@page_tool(
    "browser_verify_text_visible", title="Verify text visible", kind="read", capability="testing"
)
async def verify_text_visible(page: Page, args: VerifyTextVisibleArgs) -> ToolResult:
    """Verify that text is visible on the page. Prefer browser_verify_element_visible.

    All frames are searched. Values of fields do not count: use `browser_verify_value` for them.

    Reply: `Done`, and the innermost element that contains the text.

    Errors: the text is not on the page, or not visible. The message lists similar texts.
    """
    match = await page.elements.test_support.verify_text(args.text)
    label = f"{quote_in_sentence(shorten(match.text, _MAX_TEXT))} in {match.element.label}"
    text = _describe_match(label, str(match.element.ref), match.count)
    return ToolResult(text, verified=match)


class VerifyListVisibleArgs(Args):
    ref: Ref
    """List that contains the items. A ref, a locator or a CSS selector of one element."""
    items: list[str]
    """Texts of the items, or parts of them, in any case. They may be in any order."""
    element: ElementDescription = None


@page_tool(
    "browser_verify_list_visible", title="Verify list visible", kind="read", capability="testing"
)
async def verify_list_visible(page: Page, args: VerifyListVisibleArgs) -> ToolResult:
    """Verify that a list shows these items.

    The list may have further items. It need not have the role list: a table or a menu works too.

    Reply: `Done`, and the number of items.

    Errors: an item is missing or hidden. The message names the missing items and those that the
    list shows.
    """
    element = await page.find_element(args.ref)
    texts = await page.elements.test_support.verify_items(element, args.items)
    count = "1 item" if len(texts) == 1 else f"{len(texts)} items"
    return ToolResult(f"Done: {element.label} shows {count}")


class VerifyValueArgs(Args):
    type: Literal["textbox", "checkbox", "radio", "combobox", "slider"]
    """Kind of the control."""
    ref: Ref
    """Control. A ref, a locator or a CSS selector of one element."""
    value: Annotated[TypedText, Meta(description='"true" or "false" for a checkbox or radio')]
    """Expected value. `true` or `false` for a checkbox or radio button. The value or the label of
    the selected option for a combobox. The name of a secret stands for its value."""
    element: ElementDescription = None


@page_tool("browser_verify_value", title="Verify value", kind="read", capability="testing")
async def verify_value(page: Page, args: VerifyValueArgs) -> ToolResult:
    """Verify the value of a field or control.

    Reply: `Done`, and the control.

    Errors: the control holds another value, which the message states (of a password, its length);
    or the element holds no value.
    """
    element = await page.find_element(args.ref)
    verified = await page.elements.test_support.verify_value(element, args.type, args.value)
    return ToolResult(f"Done: {element.label} has this value", verified=verified)


class GenerateLocatorArgs(Args):
    ref: Ref
    """Element. A ref, a locator or a CSS selector of one element."""
    element: ElementDescription = None


@page_tool("browser_generate_locator", title="Generate locator", kind="read", capability="testing")
async def generate_locator(page: Page, args: GenerateLocatorArgs) -> ToolResult:
    """Generate a Playwright locator of an element, for use in tests.

    The locator matches only this element, and still does after a reload: it names what a person
    sees, or the test id (`--test-id-attribute`), and uses no ids or names that look generated. The
    argument `ref` of all tools accepts it.

    Reply: the locator in the syntax of Playwright for TypeScript, without `page.` before it. An
    element in an iframe has a locator with `contentFrame()`.

    Errors: the element is gone, or its frame is hidden.
    """
    element = await page.find_element(args.ref)
    locator = await page.elements.test_support.generate_locator(element)
    note = (
        "\nThe element is in a closed shadow root. Playwright cannot find it; the tools of this "
        "server can."
    )
    return ToolResult(locator.render() + (note if locator.is_closed else ""))


def _describe_match(label: str, ref: str, count: int) -> str:
    """Return the reply about visible elements that match."""
    more = f", the first of {count} that match" if count > 1 else ""
    return f"Done: {label} [ref={ref}] is visible{more}"
