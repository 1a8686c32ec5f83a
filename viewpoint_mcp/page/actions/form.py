"""Form filling: fills in the fields one by one like a person, then reads all of them."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Any

from viewpoint_mcp.errors import ElementError, ModalOpenError, PageError, ViewpointError
from viewpoint_mcp.page.actions.form_check import Entry, by_frame, checked
from viewpoint_mcp.page.actions.select import Choice
from viewpoint_mcp.page.actions.text_input import Typing, focus, held
from viewpoint_mcp.page.form_field import Field
from viewpoint_mcp.page.services import DocumentGone, PageServices

_ANSWER_TO_TEXT = 1.0  # seconds for the response to a request that typed text caused
_ANSWER_TO_CHOICE = 5.0  # the same after a choice, because the next field may depend on it
_MOST_KEYS = 500  # presses of an arrow key for one slider


async def fill(page: PageServices, fields: Sequence[Field]) -> list[str]:
    """Fill in the fields in order, and settle.

    Returns:
        A sentence for each field whose final content differs from the request.

    Raises:
        ViewpointError: A check failed before any field was filled; or filling a field failed, and
            the message names the fields that were filled before it.
        ElementError: After filling, some fields still hold nothing of the request.
    """
    entries = await checked(page, fields)
    async with page.settle_afterwards():
        is_text = all(entry.field.type == "textbox" for entry in entries)
        await page.current_action.record_state(entries[0].element.frame, is_text_only=is_text)
        filling = _Filling(page, entries)
        await filling.run()
    return [*filling.notes, *await _verdicts(page, entries)]


class _Filling:
    """The fields of a form, filled in one after another."""

    def __init__(self, page: PageServices, entries: Sequence[Entry]) -> None:
        self._page = page
        self._entries = entries
        self.notes: list[str] = []

    async def run(self) -> None:
        for index, entry in enumerate(self._entries):
            try:
                await self._fill(entry)
            except ViewpointError as error:
                error.message = f'Field "{entry.field.name}": {error.message}'
                error.hint = " ".join(filter(None, [error.hint, self._progress(index)]))
                raise
            reason = self._page.blockers.blocking_error()
            if reason is not None and index + 1 < len(self._entries):
                if isinstance(reason, ModalOpenError):
                    reason.message = (
                        f'Filling "{entry.field.name}" opened a dialog. {reason.message}'
                    )
                reason.hint = " ".join(filter(None, [reason.hint, self._progress(index + 1)]))
                raise reason

    def _progress(self, count: int) -> str:
        done = _names(self._entries[:count])
        left = _names(self._entries[count:])
        return f"Filled before that: {done or 'nothing'}. Not filled: {left}."

    async def _fill(self, entry: Entry) -> None:
        acts = self._page.current_action
        match entry.field.type:
            case "textbox":
                await self._type(entry)
                return
            case "checkbox" | "radio":
                await self._check(entry)
            case "slider":
                await self._slide(entry)
            case "combobox":
                choice = Choice(entry.element, [entry.field.value], is_known=True)
                await choice.make()
                await acts.wait_for_network(_ANSWER_TO_CHOICE)
                await choice.verdict()
                if choice.note:
                    self.notes.append(f"- {entry.field.name}: {choice.note}")
        await acts.wait_for_network(_ANSWER_TO_CHOICE)

    async def _type(self, entry: Entry) -> None:
        options = {"replace": True, "typed": entry.field.value, "isKnown": True}
        field = await focus(entry.element, options)
        # Focusing this field left the previous one, and a request caused by that may change this
        # field.
        if await self._page.current_action.wait_for_network(_ANSWER_TO_TEXT):
            field = await focus(entry.element, options)
        entry.changes = field.get("count", 0)
        await Typing(entry.element, entry.field.value, field).write()

    async def _check(self, entry: Entry) -> None:
        if await self._is_checked(entry, press=True):
            return
        # The page may handle the key itself, and an indeterminate checkbox needs two clicks.
        for _ in range(2):
            if self._page.blockers.blocking_error() is not None or await self._is_checked(entry):
                return
        raise ElementError(f'{entry.element.label} does not become "{entry.field.value}".')

    async def _is_checked(self, entry: Entry, *, press: bool = False) -> bool:
        """Act on the box unless it has the requested state; return whether it has that state.

        Args:
            press: Use the keyboard if the box accepts keys.

        Returns:
            Whether the box has the requested state, before or after the action.
        """
        options = entry.arguments()
        state = await self._ask(entry, "toCheck", options)
        if state.get("isDone"):
            return True
        if press and state.get("press"):
            await self._page.current_action.perform(self._page.keyboard.press("Space"))
        else:
            await self._page.elements.get_by_number(entry.element.frame, state["number"]).click()
        if self._page.blockers.blocking_error() is not None:
            return False
        try:
            return bool((await self._ask(entry, "toCheck", options)).get("isDone"))
        except (DocumentGone, ElementError):
            return True  # the click led to another document, or removed the box

    async def _slide(self, entry: Entry) -> None:
        state = await self._ask(entry, "toSlide")
        if state.get("isField"):
            await self._type(entry)
            return
        target = float(entry.field.value)
        if state["now"] == target:
            return
        # The first key goes towards the target, because a slider at its limit moves one way only.
        keys = ("ArrowRight", "ArrowLeft") if target > state["now"] else ("ArrowLeft", "ArrowRight")
        await self._press("Home" if target == state["least"] else keys[0], 1)
        moved = await self._ask(entry, "toSlide")
        step = moved["now"] - state["now"]
        if step and target != moved["now"]:
            count = round((target - moved["now"]) / step)
            await self._press(keys[count < 0], abs(count))
        now = (await self._ask(entry, "toSlide"))["now"]
        if now != target:
            raise ElementError(
                f"{entry.element.label} went to {now:g} instead of {target:g}.",
                "It may move in larger steps: use a value that it can take.",
            )

    async def _press(self, key: str, count: int) -> None:
        for _ in range(min(count, _MOST_KEYS)):
            await self._page.current_action.perform(self._page.keyboard.press(key))

    async def _ask(self, entry: Entry, function: str, *args: object) -> dict[str, Any]:
        element = entry.element
        told = await self._page.call_inpage(element.frame, function, element.ref.element, *args)
        return await element.accept(told)


async def _verdicts(page: PageServices, entries: Sequence[Entry]) -> list[str]:
    """Return a note for each field that differs from the request; read each frame once.

    Raises:
        ElementError: Some fields hold nothing of the request.
    """
    notes: list[str] = []
    refusing: list[str] = []
    for frame, group in by_frame(entries):
        if page.blockers.blocking_error() is not None or frame.document_id != group[0].document:
            continue
        try:
            answers = await page.call_inpage(
                frame, "holdingOf", [entry.arguments() for entry in group]
            )
        except PageError:
            continue  # the document was replaced meanwhile
        for entry, told in zip(group, answers, strict=True):
            if told is None:
                continue
            where = refusing if not told["reached"] else notes
            where.append(f"- {entry.field.name}: it {held(told)}")
    if refusing:
        raise ElementError(
            "\n".join(
                [f"{len(refusing)} of {len(entries)} fields took nothing:", *refusing, *notes]
            ),
            "The others were filled.",
        )
    return notes


def _names(entries: Sequence[Entry]) -> str:
    names = [entry.field.name for entry in entries]
    return ", ".join(itertools.islice(names, 30)) + (", …" if len(names) > 30 else "")
