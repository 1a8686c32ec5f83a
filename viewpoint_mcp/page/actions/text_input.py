"""Keyboard input into fields, and the check whether they hold the typed text."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from viewpoint_mcp.accessibility.printing.invisible_characters import remove_invisible
from viewpoint_mcp.accessibility.printing.sentence_quotes import escape_quotes, quote_in_sentence
from viewpoint_mcp.accessibility.refs import describe_element
from viewpoint_mcp.errors import CallError, ElementDisabledError, ElementError, PageError
from viewpoint_mcp.page.actions.actionability_errors import not_a_text_field_error
from viewpoint_mcp.page.actions.hit.hit_test import find_frame_body
from viewpoint_mcp.page.actions.hit.inpage_answers import InpageAnswer
from viewpoint_mcp.page.reply_note import ReplyNote

if TYPE_CHECKING:
    from viewpoint_mcp.page.actions.element import Element

_MAX_CONTENT = 200  # maximum characters of a field's content in a reply

VALUE_FORMAT_HINT = (
    "Use the HTML format of its type: 2026-01-31 for a date, 13:45 for a time, #ff0000 for a "
    "colour, a number within the limits for a slider."
)


async def type_into_field(
    element: Element,
    text: str,
    *,
    slowly: bool = False,
    submit: bool = False,
    replace: bool = True,
) -> ReplyNote:
    """Type a text into a field, and settle.

    The text replaces the content. With `slowly`, it is typed at the caret, key by key.

    Args:
        submit: Press Enter at the end.
        replace: False to insert the text at the caret, where it replaces the selection. In a field
            without a caret, it is added at the end.

    Returns:
        A note if the field does not hold the text afterwards; else "".

    Raises:
        CallError: The text contains half of a surrogate pair.
        ElementError: The element is not a text field, accepts no input, or received no text.
    """
    refuse_half_surrogates(text)
    page = element.page
    async with page.settle_afterwards():
        await page.current_action.record_state_before_events(
            element.frame, is_text_insertion=not slowly and not submit
        )
        text_input = await _focus_for_typing(
            element, text, slowly=slowly, replace=replace and not slowly
        )
        await text_input.send_text()
        if submit:
            note = await text_input.verify_and_describe_field_content()
            if page.blockers.dialog is not None:
                return f"{note}, and Enter was not pressed"
            await page.current_action.perform_until_dialog(page.keyboard.press("Enter"))
    return note if submit else await text_input.verify_and_describe_field_content()


def refuse_half_surrogates(text: str) -> None:
    """Refuse a text that no field could hold.

    Raises:
        CallError: The text contains half of a surrogate pair.
    """
    if any("\ud800" <= character <= "\udfff" for character in text):
        raise CallError(
            "The text contains half of a surrogate pair.",
            "Send characters above U+FFFF directly, or as both \\u escapes.",
        )


@dataclass(slots=True)
class TextInput:
    """Input of a text into a field that has the focus.

    Args:
        element: The field, or the element that stands for it.
        field: The answer of `focusFor` of `inpage` about it.
    """

    element: Element
    text: str
    field: dict[str, Any]
    slowly: bool = False
    replace: bool = True
    document_id: str = ""

    def __post_init__(self) -> None:
        self.document_id = self.element.frame.document_id
        if self.field.get("isSecret"):
            self.element.page.elements.passwords.append(self.text)

    async def send_text(self) -> None:
        """Type the text into the focused field, or delete the content for an empty text.

        The text is inserted at once; with `slowly`, key by key.
        """
        page, field = self.element.page, self.field
        if field["kind"] == "value":
            raise_if_value_not_accepted(self.element.label, self.text, field["instead"])
        elif not self.replace:
            if not field["hasCaret"]:
                await page.current_action.perform_until_dialog(page.keyboard.press(field["endKey"]))
            keyboard = page.keyboard
            type_text = keyboard.type_text if self.slowly else keyboard.insert_text
            await page.current_action.perform_until_dialog(type_text(self.text))
        else:
            if field["kind"] == "keys":
                await page.current_action.perform_until_dialog(
                    page.keyboard.press("ControlOrMeta+a")
                )
            if self.text:
                await page.current_action.perform_until_dialog(page.keyboard.insert_text(self.text))
            elif not field["empty"] or field["kind"] == "keys":
                await page.current_action.perform_until_dialog(page.keyboard.press("Delete"))

    async def verify_and_describe_field_content(self) -> ReplyNote:
        """Return a note if the field holds another text or a dialog opened; else "".

        Returns:
            "" also if the content is unknown, because the document was replaced or does not answer.

        Raises:
            ElementError: The field received nothing of the text.
        """
        element = self.element
        if element.page.blockers.dialog is not None:
            return "while it was typed, a dialog opened"
        if self.field["kind"] == "value" or element.page.blockers.blocking_error() is not None:
            return ""
        if element.frame.document_id != self.document_id:
            return ""
        options = {"typed": self.text, "added": not self.replace, "count": self.field["count"]}
        try:
            answer = await element.page.call_inpage(
                element.frame, "heldAfter", element.ref.element, options
            )
        except PageError:
            return ""  # the document is gone, or does not answer
        return "" if answer is None else describe_field_content_or_raise(element.label, answer)


def describe_field_content_or_raise(label: str, answer: dict[str, Any]) -> ReplyNote:
    """Return a note about the content of a field.

    Args:
        answer: The answer of `heldAfter` of `inpage`.

    Raises:
        ElementError: The field received nothing of the text.
    """
    if not answer["reached"]:
        raise ElementError(
            f"{label} did not accept the text; it {describe_content(answer)}.",
            "The page or the field type rejects it. Try another text, or slowly.",
        )
    return f"it {describe_content(answer)}"


def raise_if_value_not_accepted(label: str, text: str, stored_instead: str | None) -> None:
    """Raise an error if a field with a value format of its type did not accept a value.

    Args:
        stored_instead: The value that the field would store instead; None if it accepted the value.

    Raises:
        ElementError: The field did not accept the value.
    """
    if stored_instead is not None:
        suffix = f"; it would store {quote_in_sentence(stored_instead)}" if stored_instead else ""
        raise ElementError(f'{label} does not accept "{text}"{suffix}.', VALUE_FORMAT_HINT)


def describe_content(answer: dict[str, Any]) -> str:
    """Describe the content of a field, but never a password.

    Args:
        answer: The result of the in-page function `heldAfter`.
    """
    if answer.get("isReplaced"):
        if answer["held"] is None:
            return "is no longer on the page"
        return f"was replaced by the page; the focused field holds {quote(answer['held'])}"
    if answer["held"] is None:
        return "is unchanged"
    if answer.get("isSecret"):
        return f"holds {answer['held']} characters now, but not the typed text"
    is_unchanged = answer.get("isAsBefore")
    return (
        f"still holds {quote(answer['held'])}"
        if is_unchanged
        else f"holds {quote(answer['held'])} now"
    )


def quote(text: str) -> str:
    r"""Return a text of the page in quotes, on one line and shortened; "nothing" if it is empty.

    Of a text with several lines, line breaks (`\n`) and indentations are kept.
    """
    lines = [line.rstrip() for line in remove_invisible(text).strip("\n").split("\n")]
    if len(lines) == 1:
        return quote_in_sentence(lines[0], _MAX_CONTENT) if lines[0] else "nothing"
    line = "\\n".join(lines)
    cut = f"{line[:_MAX_CONTENT]}…" if len(line) > _MAX_CONTENT else line
    return f'"{escape_quotes(cut)}"'


async def _focus_for_typing(
    element: Element, text: str, *, slowly: bool, replace: bool
) -> TextInput:
    options = {"replace": replace, "typed": text}
    field = await focus_text_field(element, options)
    if field.get("refused") == "frame":
        body = await find_frame_body(element)
        if body is None:
            raise not_a_text_field_error(element.label)
        element, field = body, await focus_text_field(body, options)
    return TextInput(element, text, field, slowly, replace)


async def focus_text_field(element: Element, options: dict[str, Any]) -> InpageAnswer:
    """Focus the text field of the element; return the answer of `focusFor` of `inpage`.

    Raises:
        ElementError: The element does not accept the focus, or is not a text field.
    """
    field = await element.prepare_for_action("focusFor", options)
    if field.get("refused") == "focus":
        focus_holder = field["by"]
        suffix = (
            f"; {describe_element(focus_holder['role'], focus_holder['name'])} has it"
            if focus_holder
            else ""
        )
        raise ElementDisabledError(
            f"{element.label} did not get the focus{suffix}.",
            "Type into that element, or take a new snapshot.",
        )
    return field
