"""Form filling: fills in the fields one by one like a person, then reads all of them."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Any

from viewpoint_mcp.errors import ElementError, ModalOpenError, PageError, ViewpointError
from viewpoint_mcp.page.actions.form_validation import (
    FormEntry,
    find_and_validate_fields,
    group_by_frame,
)
from viewpoint_mcp.page.actions.select import OptionSelection
from viewpoint_mcp.page.actions.text_input import TextInput, describe_content, focus_text_field
from viewpoint_mcp.page.form_field_to_fill import FieldToFill
from viewpoint_mcp.page.services import DocumentReplacedError, PageServices

_WAIT_AFTER_TEXT = 1.0  # seconds for the response to a request that typed text caused
_WAIT_AFTER_CHOICE = 5.0  # the same after a choice, because the next field may depend on it
_MAX_KEY_PRESSES = 500  # presses of an arrow key at once, for one slider
_MAX_SLIDER_CORRECTIONS = 20


async def fill_form_and_describe_differences(
    page: PageServices, fields: Sequence[FieldToFill]
) -> list[str]:
    """Fill in the fields in order, and settle.

    Returns:
        A sentence for each field whose final content differs from the request.

    Raises:
        ViewpointError: A check failed before any field was filled; or filling a field failed, and
            the message names the fields that were filled before it.
        ElementError: After filling, some fields still hold nothing of the request.
    """
    entries = await find_and_validate_fields(page, fields)
    async with page.settle_afterwards():
        is_text = all(entry.field.type == "textbox" for entry in entries)
        await page.current_action.record_state_before_events(
            entries[0].element.frame, is_text_insertion=is_text
        )
        filling = _FormFiller(page, entries)
        await filling.fill_fields()
    return [*filling.notes, *await _list_differences_from_request(page, entries)]


class _FormFiller:
    """The fields of a form, filled in one after another."""

    def __init__(self, page: PageServices, entries: Sequence[FormEntry]) -> None:
        self._page = page
        self._entries = entries
        self.notes: list[str] = []

    async def fill_fields(self) -> None:
        for index, entry in enumerate(self._entries):
            try:
                await self._fill_field(entry)
            except ViewpointError as error:
                error.message = f'Field "{entry.field.name}": {error.message}'
                error.hint = " ".join(filter(None, [error.hint, self._describe_progress(index)]))
                raise
            reason = self._page.blockers.blocking_error()
            if reason is not None and index + 1 < len(self._entries):
                if isinstance(reason, ModalOpenError):
                    reason.message = (
                        f'Filling "{entry.field.name}" opened a dialog. {reason.message}'
                    )
                reason.hint = " ".join(
                    filter(None, [reason.hint, self._describe_progress(index + 1)])
                )
                raise reason

    def _describe_progress(self, filled_count: int) -> str:
        done = _join_names(self._entries[:filled_count])
        left = _join_names(self._entries[filled_count:])
        return f"Filled before that: {done or 'nothing'}. Not filled: {left}."

    async def _fill_field(self, entry: FormEntry) -> None:
        current_action = self._page.current_action
        match entry.field.type:
            case "textbox":
                await self._type_text(entry)
                return
            case "checkbox" | "radio":
                await self._set_checkbox_or_radio_to_value(entry)
            case "slider":
                await self._move_slider(entry)
            case "combobox":
                selection = OptionSelection(
                    entry.element, [entry.field.value], can_be_replaced=True
                )
                await selection.select()
                await current_action.wait_for_network(_WAIT_AFTER_CHOICE)
                await selection.verify_and_describe_choice()
                if selection.note:
                    self.notes.append(f"- {entry.field.name}: {selection.note}")
                elif not selection.has_changed:
                    self._note_already_set(entry)
        await current_action.wait_for_network(_WAIT_AFTER_CHOICE)

    async def _type_text(self, entry: FormEntry) -> None:
        options = {"replace": True, "typed": entry.field.value, "isKnown": True}
        field = await focus_text_field(entry.element, options)
        # Focusing this field left the previous one, and a request caused by that may change this
        # field.
        current_action = self._page.current_action
        if current_action.is_network_pending:
            await current_action.wait_for_network(_WAIT_AFTER_TEXT)
            field = await focus_text_field(entry.element, options)
        entry.change_count = field.get("count", 0)
        await TextInput(entry.element, entry.field.value, field).send_text()

    async def _set_checkbox_or_radio_to_value(self, entry: FormEntry) -> None:
        if (await self._call_inpage(entry, "toCheck", entry.to_inpage_argument())).get("isDone"):
            self._note_already_set(entry)
            return
        if await self._try_to_bring_box_to_state(entry, use_keyboard=True):
            return
        # The page may handle the key itself, and an indeterminate checkbox needs two clicks.
        for _ in range(2):
            if (
                self._page.blockers.blocking_error() is not None
                or await self._try_to_bring_box_to_state(entry)
            ):
                return
        raise ElementError(f'{entry.element.label} could not be set to "{entry.field.value}".')

    async def _try_to_bring_box_to_state(
        self, entry: FormEntry, *, use_keyboard: bool = False
    ) -> bool:
        """Act on the box unless it has the requested state; return whether it has that state.

        Args:
            use_keyboard: Use the keyboard if the box accepts keys.

        Returns:
            Whether the box has the requested state, before or after the action.
        """
        options = entry.to_inpage_argument()
        state = await self._call_inpage(entry, "toCheck", options)
        if state.get("isDone"):
            return True
        if use_keyboard and state.get("press"):
            await self._page.current_action.perform_until_dialog(self._page.keyboard.press("Space"))
        else:
            await self._page.elements.get_by_number(entry.element.frame, state["number"]).click()
        if self._page.blockers.blocking_error() is not None:
            return False
        try:
            return bool((await self._call_inpage(entry, "toCheck", options)).get("isDone"))
        except (DocumentReplacedError, ElementError):
            return True  # the click led to another document, or removed the box

    async def _move_slider(self, entry: FormEntry) -> None:
        state = await self._call_inpage(entry, "toSlide")
        if state.get("isField"):
            await self._type_text(entry)
            return
        target = float(entry.field.value)
        if state["now"] == target:
            self._note_already_set(entry)
            return
        # The first key goes towards the target, because a slider at its limit moves one way only.
        keys = ("ArrowRight", "ArrowLeft") if target > state["now"] else ("ArrowLeft", "ArrowRight")
        moved = state
        for key in ("Home", keys[0]) if target == state["least"] else keys[:1]:
            await self._press_key(key, 1)
            moved = await self._call_inpage(entry, "toSlide", {"from": state["now"]})
            if moved["now"] != state["now"]:
                break
        step = moved["now"] - state["now"]
        if not step:
            raise ElementError(
                f"{entry.element.label} stays at {moved['now']:g}: it ignores the arrow keys.",
                "Drag its handle with browser_drag.",
            )
        # A page that changes the value late can lose some of many presses.
        for _ in range(_MAX_SLIDER_CORRECTIONS):
            count = round((target - moved["now"]) / step)
            if count == 0:
                break
            await self._press_key(keys[count < 0], abs(count))
            moved = await self._call_inpage(entry, "toSlide", {"wanted": target})
        if moved["now"] != target:
            raise ElementError(
                f"{entry.element.label} moved to {moved['now']:g} instead of {target:g}.",
                "Its step may be larger. Pass a value that it can have.",
            )

    def _note_already_set(self, entry: FormEntry) -> None:
        self.notes.append(f"- {entry.field.name}: it was already set to this value")

    async def _press_key(self, key: str, count: int) -> None:
        for _ in range(min(count, _MAX_KEY_PRESSES)):
            await self._page.current_action.perform_until_dialog(self._page.keyboard.press(key))

    async def _call_inpage(self, entry: FormEntry, function: str, *args: object) -> dict[str, Any]:
        element = entry.element
        answer = await self._page.call_inpage(element.frame, function, element.ref.element, *args)
        return await element.check_inpage_answer(answer)


async def _list_differences_from_request(
    page: PageServices, entries: Sequence[FormEntry]
) -> list[str]:
    """Return a note for each field that differs from the request; read each frame once.

    Raises:
        ElementError: Some fields hold nothing of the request.
    """
    notes: list[str] = []
    failed: list[str] = []
    for frame, group in group_by_frame(entries):
        if page.blockers.blocking_error() is not None or frame.document_id != group[0].document_id:
            continue
        try:
            answers = await page.call_inpage(
                frame, "holdingOf", [entry.to_inpage_argument() for entry in group]
            )
        except PageError:
            continue  # the document was replaced meanwhile
        for entry, answer in zip(group, answers, strict=True):
            if answer is None:
                continue
            lines = failed if not answer["reached"] else notes
            lines.append(f"- {entry.field.name}: it {describe_content(answer)}")
    if failed:
        raise ElementError(
            "\n".join(
                [
                    f"{len(failed)} of {len(entries)} fields did not accept their value:",
                    *failed,
                    *notes,
                ]
            ),
            "The others were filled.",
        )
    return notes


def _join_names(entries: Sequence[FormEntry]) -> str:
    names = [entry.field.name for entry in entries]
    return ", ".join(itertools.islice(names, 30)) + (", …" if len(names) > 30 else "")
