"""Checks of form fields before they are filled: presence, type and value."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from viewpoint_mcp.errors import (
    CallError,
    ElementDisabledError,
    ElementError,
    PageError,
    ViewpointError,
)
from viewpoint_mcp.page.actions.element import Element
from viewpoint_mcp.page.actions.select import selection_error
from viewpoint_mcp.page.actions.text_input import (
    raise_if_value_not_accepted,
    refuse_half_surrogates,
)
from viewpoint_mcp.page.form_field_to_fill import FieldToFill, FieldType
from viewpoint_mcp.page.frames import Frame

if TYPE_CHECKING:
    from viewpoint_mcp.page.services import PageServices

_TYPES_OF_ROLES: dict[str, FieldType] = {
    **dict.fromkeys(("textbox", "searchbox", "spinbutton"), "textbox"),
    **dict.fromkeys(("checkbox", "switch", "menuitemcheckbox"), "checkbox"),
    **dict.fromkeys(("radio", "radiogroup"), "radio"),
    **dict.fromkeys(("combobox", "listbox"), "combobox"),
    "slider": "slider",
}
# Failures that can disappear after an earlier choice in the form, if the field depends on it.
_TEMPORARY_FAILURES = ("disabled", "readonly", "hidden")
_TEMPORARY_REFUSALS = ("missing", "off")


@dataclass(slots=True)
class FormEntry:
    """A form field with its element.

    Attributes:
        document_id: The document in the element's frame at the time of the check.
        change_count: How often that document had changed when the field was filled.
    """

    field: FieldToFill
    element: Element
    document_id: str
    change_count: int = 0

    def to_inpage_argument(self) -> dict[str, Any]:
        """Return the field as an argument for functions of `inpage`."""
        field = self.field
        value = field.value.strip().lower() if field.type == "checkbox" else field.value
        number = self.element.ref.element
        return {"number": number, "type": field.type, "typed": value, "count": self.change_count}


async def find_and_validate_fields(
    page: PageServices, fields: Sequence[FieldToFill]
) -> list[FormEntry]:
    """Check all fields and return them with their elements; do not change the page.

    Raises:
        ViewpointError: Some fields are wrong; the message names all of them.
    """
    errors: list[tuple[FieldToFill, ViewpointError]] = []
    entries = []
    for field in fields:
        try:
            _raise_if_value_unsuitable_for_type(field)
            element = await page.elements.find(field.ref)
            entries.append(FormEntry(field, element, element.frame.document_id))
        except (CallError, ElementError) as error:
            errors.append((field, error))
    errors += [
        (entry.field, error)
        for entry, error in zip(entries, await _find_errors(page, entries), strict=True)
        if error is not None
    ]
    if errors:
        errors.sort(key=lambda each: fields.index(each[0]))
        raise _nothing_filled_error(errors, len(fields))
    return entries


def _raise_if_value_unsuitable_for_type(field: FieldToFill) -> None:
    refuse_half_surrogates(field.value)
    truth = field.value.strip().lower()
    if field.type == "checkbox" and truth not in ("true", "false"):
        raise CallError(f'A checkbox accepts "true" or "false", not "{field.value}".')
    if field.type == "radio" and truth == "false":
        raise CallError(
            "A radio button cannot be unchecked.",
            'Set another radio button of its group to "true".',
        )
    if field.type == "slider":
        try:
            float(field.value)
        except ValueError:
            raise CallError(f'A slider accepts a number, not "{field.value}".') from None


async def _find_errors(
    page: PageServices, entries: Sequence[FormEntry]
) -> list[ViewpointError | None]:
    """Return for each field the error that prevents filling it, or None; ask each frame once."""
    answers_by_entry: dict[int, dict[str, Any]] = {}
    for frame, group in group_by_frame(entries):
        answers = await page.call_inpage(
            frame, "checkFields", [entry.to_inpage_argument() for entry in group]
        )
        answers_by_entry |= {
            id(entry): answer for entry, answer in zip(group, answers, strict=True)
        }
    errors: list[ViewpointError | None] = []
    has_choice = False
    for entry in entries:
        errors.append(
            await _find_entry_error(
                entry, answers_by_entry[id(entry)], ignore_temporary_errors=has_choice
            )
        )
        has_choice = has_choice or entry.field.type != "textbox"
    return errors


async def _find_entry_error(
    entry: FormEntry, answer: dict[str, Any], *, ignore_temporary_errors: bool
) -> ViewpointError | None:
    if ignore_temporary_errors and (
        answer.get("fail") in _TEMPORARY_FAILURES or answer.get("refused") in _TEMPORARY_REFUSALS
    ):
        answer = {key: answer[key] for key in ("role", "name", "changes")}
    try:
        await entry.element.check_inpage_answer(answer)
    except (ElementError, PageError) as error:
        return error
    return _refusal_error(entry, answer) if "refused" in answer else None


def _refusal_error(entry: FormEntry, answer: dict[str, Any]) -> ViewpointError:
    label, field = entry.element.label, entry.field
    match answer["refused"]:
        case "file":
            return ElementDisabledError(f"{label} is a file input.", "Use browser_file_upload.")
        case "kind" | "no-choice":
            fitting_type = _TYPES_OF_ROLES.get(answer["role"])
            hint = (
                f'Use type "{fitting_type}".'
                if fitting_type
                else "It is not a field. Use browser_click."
            )
            return ElementDisabledError(f"{label} is not a {field.type}.", hint)
        case "value" if "least" in answer:
            minimum, maximum = answer["least"], answer["most"]
            return ElementError(
                f'{label} accepts numbers from {minimum} to {maximum}, not "{field.value}".'
            )
        case "value":
            try:
                raise_if_value_not_accepted(label, field.value, answer.get("instead") or "")
            except ElementError as error:
                return error
    return selection_error(label, answer)


def _nothing_filled_error(
    field_errors: Sequence[tuple[FieldToFill, ViewpointError]], field_count: int
) -> ViewpointError:
    if len(field_errors) == 1:
        field, error = field_errors[0]
        error.message = f'Nothing was filled. Field "{field.name}": {error.message}'
        return error
    lines = [f'- "{field.name}": {error}' for field, error in field_errors]
    return ElementError(
        "\n".join(
            [
                f"Nothing was filled: {len(field_errors)} of {field_count} fields are invalid.",
                *lines,
            ]
        )
    )


def group_by_frame(entries: Iterable[FormEntry]) -> list[tuple[Frame, list[FormEntry]]]:
    """Return the entries grouped by frame, in their order."""
    groups: dict[int, tuple[Frame, list[FormEntry]]] = {}
    for entry in entries:
        frame = entry.element.frame
        groups.setdefault(frame.number, (frame, []))[1].append(entry)
    return list(groups.values())
