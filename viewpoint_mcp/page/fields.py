"""What the keyboard, and whoever fills in forms, does to fields."""

from __future__ import annotations

from viewpoint_mcp.errors import ElementError
from viewpoint_mcp.page.elements import Element


async def type_into(
    element: Element, text: str, *, slowly: bool = False, submit: bool = False
) -> None:
    """Replace the content of the text field; with `slowly` add to it, key by key.

    Args:
        submit: Press Enter at the end.

    Raises:
        ElementError: It is no text field, or takes no input.
    """
    field = await element.prepare("focusFor", {"replace": not slowly})
    page = element.page
    await page.acts.begin(element.frame, text=not slowly and not submit)
    if field["kind"] == "value":
        await _set_value(element, text)
    elif slowly:
        await page.acts.do(page.keyboard.type_text(text))
    elif text:
        await page.acts.do(page.keyboard.insert_text(text))
    elif not field["empty"]:
        await page.acts.do(page.keyboard.press("Delete"))
    if submit:
        await page.acts.do(page.keyboard.press("Enter"))


async def _set_value(element: Element, text: str) -> None:
    instead = await element.page.call(element.frame, "setValue", element.ref.element, text)
    if instead is not None:
        made = f'; it would make "{instead}" of it' if instead else ""
        raise ElementError(
            f'{element.label} did not take "{text}"{made}.',
            "Use the form of HTML for its type: 2026-01-31 for a date, #ff0000 for a colour, "
            "a number within the limits for a slider.",
        )
