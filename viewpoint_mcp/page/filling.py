"""Filling in a form: every field is checked before the first is touched, and read in the end."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from viewpoint_mcp.accessibility.refs import Ref
from viewpoint_mcp.errors import (
    CallError,
    Disabled,
    ElementError,
    ModalOpen,
    PageError,
    ViewpointError,
)
from viewpoint_mcp.page import pointing
from viewpoint_mcp.page.choices import Choice, refused
from viewpoint_mcp.page.elements import Element
from viewpoint_mcp.page.fields import Typing, check_text, focus, held, refuse_value
from viewpoint_mcp.page.frames import Frame

if TYPE_CHECKING:
    from viewpoint_mcp.page.page import Page

FieldType = Literal["textbox", "checkbox", "radio", "combobox", "slider"]

_TYPES_OF_ROLES: dict[str, FieldType] = {
    **dict.fromkeys(("textbox", "searchbox", "spinbutton"), "textbox"),
    **dict.fromkeys(("checkbox", "switch", "menuitemcheckbox"), "checkbox"),
    **dict.fromkeys(("radio", "radiogroup"), "radio"),
    **dict.fromkeys(("combobox", "listbox"), "combobox"),
    "slider": "slider",
}
# What an earlier choice in the form may still mend: the fields that depend on it.
_MAY_MEND_FAILURES = ("disabled", "readonly", "hidden")
_MAY_MEND_REFUSALS = ("missing", "off")
_ANSWER_TO_TEXT = 1.0  # seconds for a request that a field's text made, before the next is filled
_ANSWER_TO_CHOICE = 5.0  # the same for a choice: the next field may depend on it
_MOST_KEYS = 500


@dataclass(frozen=True, slots=True)
class Field:
    """One field as the caller named it.

    Args:
        name: The caller's own name for it.
        ref: A ref or a CSS selector.
        value: The text, "true" or "false", an option, a number.
    """

    name: str
    type: FieldType
    ref: str
    value: str


@dataclass(slots=True)
class _Entry:
    """A field and its element.

    Attributes:
        changes: How often its document had changed when it was filled.
    """

    field: Field
    element: Element
    document: str
    changes: int = 0

    def arguments(self) -> dict[str, Any]:
        field = self.field
        value = field.value.strip().lower() if field.type == "checkbox" else field.value
        number = self.element.ref.element
        return {"number": number, "type": field.type, "value": value, "count": self.changes}


async def fill(page: Page, fields: Sequence[Field]) -> list[str]:
    """Fill in the fields in their order, and follow what that causes.

    Returns:
        A sentence for each field that holds something else than asked in the end.

    Raises:
        ViewpointError: Fields are wrong, and nothing was filled; or one failed, and the message
            names those that had been filled.
    """
    entries = await _checked(page, fields)
    async with page.settled():
        await page.acts.begin(entries[0].element.frame)
        await _Filling(page, entries).run()
    return await _verdicts(page, entries)


async def _checked(page: Page, fields: Sequence[Field]) -> list[_Entry]:
    wrong: list[tuple[Field, ViewpointError]] = []
    entries = []
    for field in fields:
        try:
            _check_value(field)
            element = await page.element(field.ref)
            entries.append(_Entry(field, element, element.frame.document))
        except (CallError, ElementError) as error:
            wrong.append((field, error))
    wrong += [
        (entry.field, error)
        for entry, error in zip(entries, await _failures(page, entries), strict=True)
        if error is not None
    ]
    if wrong:
        wrong.sort(key=lambda each: fields.index(each[0]))
        raise _nothing_filled(wrong, len(fields))
    return entries


def _check_value(field: Field) -> None:
    check_text(field.value)
    truth = field.value.strip().lower()
    if field.type == "checkbox" and truth not in ("true", "false"):
        raise CallError(f'A checkbox takes "true" or "false", not "{field.value}".')
    if field.type == "radio" and truth == "false":
        raise CallError(
            "A radio button cannot be unchecked.", 'Check another of its group with "true".'
        )
    if field.type == "slider":
        try:
            float(field.value)
        except ValueError:
            raise CallError(f'A slider takes a number, not "{field.value}".') from None


async def _failures(page: Page, entries: Sequence[_Entry]) -> list[ViewpointError | None]:
    """What speaks against filling each of them, by one call for each frame."""
    told: dict[int, dict[str, Any]] = {}
    for frame, group in _by_frame(entries):
        answers = await page.call(frame, "checkFields", [entry.arguments() for entry in group])
        told |= {id(entry): answer for entry, answer in zip(group, answers, strict=True)}
    failures: list[ViewpointError | None] = []
    has_choice = False
    for entry in entries:
        failures.append(_failure(entry, told[id(entry)], mendable=has_choice))
        has_choice = has_choice or entry.field.type != "textbox"
    return failures


def _failure(entry: _Entry, answer: dict[str, Any], *, mendable: bool) -> ViewpointError | None:
    if mendable and (
        answer.get("fail") in _MAY_MEND_FAILURES or answer.get("refused") in _MAY_MEND_REFUSALS
    ):
        answer = {key: answer[key] for key in ("role", "name")}
    try:
        entry.element.accept(answer)
    except (ElementError, PageError) as error:
        return error
    return _refusal(entry, answer) if "refused" in answer else None


def _refusal(entry: _Entry, answer: dict[str, Any]) -> ViewpointError:
    label, field = entry.element.label, entry.field
    match answer["refused"]:
        case "file":
            return Disabled(f"{label} takes files.", "Use browser_file_upload.")
        case "kind" | "no-choice":
            fitting = _TYPES_OF_ROLES.get(answer["role"])
            hint = (
                f'Use type "{fitting}".' if fitting else "Use browser_click for what is no field."
            )
            return Disabled(f"{label} is no {field.type}.", hint)
        case "value" if "least" in answer:
            least, most = answer["least"], answer["most"]
            return ElementError(
                f'{label} takes a number from {least} to {most}, not "{field.value}".'
            )
        case "value":
            try:
                refuse_value(label, field.value, answer.get("instead") or "")
            except ElementError as error:
                return error
    return refused(label, answer)


class _Filling:
    """The fields of a form on their way, one after the other."""

    def __init__(self, page: Page, entries: Sequence[_Entry]) -> None:
        self._page = page
        self._entries = entries

    async def run(self) -> None:
        for index, entry in enumerate(self._entries):
            try:
                await self._fill(entry)
            except ViewpointError as error:
                error.message = f'Field "{entry.field.name}": {error.message}'
                error.hint = " ".join(filter(None, [error.hint, self._progress(index)]))
                raise
            reason = self._page.interruptions.reason()
            if reason is not None and index + 1 < len(self._entries):
                if isinstance(reason, ModalOpen):
                    reason.message = (
                        f'Filling "{entry.field.name}" opened a dialog. {reason.message}'
                    )
                reason.hint = " ".join(filter(None, [reason.hint, self._progress(index + 1)]))
                raise reason

    def _progress(self, count: int) -> str:
        done = _names(self._entries[:count])
        left = _names(self._entries[count:])
        return f"Filled before that: {done or 'nothing'}. Not filled: {left}."

    async def _fill(self, entry: _Entry) -> None:
        acts = self._page.acts
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
                await acts.catch_up(_ANSWER_TO_CHOICE)
                await choice.verdict()
        await acts.catch_up(_ANSWER_TO_CHOICE)

    async def _type(self, entry: _Entry) -> None:
        options = {"replace": True, "text": entry.field.value, "isKnown": True}
        field = await focus(entry.element, options)
        # With the focus the field before was left: what that asked for may change this one.
        if await self._page.acts.catch_up(_ANSWER_TO_TEXT):
            field = await focus(entry.element, options)
        entry.changes = field.get("count", 0)
        await Typing(entry.element, entry.field.value, field).write()

    async def _check(self, entry: _Entry) -> None:
        has_pressed = False
        for _ in range(3):
            state = await self._ask(entry, "toCheck", entry.arguments() | self._first(entry))
            if self._page.interruptions.reason() is not None or state.get("isDone"):
                return
            if state.get("press") and not has_pressed:
                has_pressed = True
                await self._page.acts.do(self._page.keyboard.press("Space"))
            else:
                await self._click(entry, state)
            if self._page.interruptions.reason() is not None:
                return
        state = await self._ask(entry, "toCheck", entry.arguments() | self._first(entry))
        if not state.get("isDone"):
            raise ElementError(f'{entry.element.label} does not become "{entry.field.value}".')

    async def _click(self, entry: _Entry, state: dict[str, Any]) -> None:
        page, frame = self._page, entry.element.frame
        frame.next_element = max(frame.next_element, state["next"])
        ref = Ref(page.context, page.number, frame.number, state["number"])
        await pointing.click(Element(page, frame, ref, None))

    async def _slide(self, entry: _Entry) -> None:
        state = await self._ask(entry, "toSlide")
        if state.get("isField"):
            await self._type(entry)
            return
        target = float(entry.field.value)
        await self._press("Home" if target == state["least"] else "ArrowRight", 1)
        moved = await self._ask(entry, "toSlide")
        step = moved["now"] - state["now"]
        if step and target != moved["now"]:
            count = round((target - moved["now"]) / step)
            await self._press("ArrowRight" if count > 0 else "ArrowLeft", abs(count))
        now = (await self._ask(entry, "toSlide"))["now"]
        if now != target:
            raise ElementError(
                f"{entry.element.label} went to {now:g} instead of {target:g}.",
                "It may move in larger steps: use a value that it can take.",
            )

    async def _press(self, key: str, count: int) -> None:
        for _ in range(min(count, _MOST_KEYS)):
            await self._page.acts.do(self._page.keyboard.press(key))

    @staticmethod
    def _first(entry: _Entry) -> dict[str, int]:
        return {"first": entry.element.frame.next_element}

    async def _ask(self, entry: _Entry, function: str, *args: object) -> dict[str, Any]:
        element = entry.element
        told = await self._page.call(element.frame, function, element.ref.element, *args)
        return element.accept(told)


async def _verdicts(page: Page, entries: Sequence[_Entry]) -> list[str]:
    """What fields hold in the end that is not what was asked, by one call for each frame."""
    notes: list[str] = []
    refusing: list[str] = []
    for frame, group in _by_frame(entries):
        if page.interruptions.reason() is not None or frame.document != group[0].document:
            continue
        try:
            answers = await page.call(frame, "holdingOf", [entry.arguments() for entry in group])
        except PageError:
            continue  # the document went away meanwhile
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


def _by_frame(entries: Iterable[_Entry]) -> list[tuple[Frame, list[_Entry]]]:
    groups: dict[int, tuple[Frame, list[_Entry]]] = {}
    for entry in entries:
        frame = entry.element.frame
        groups.setdefault(frame.number, (frame, []))[1].append(entry)
    return list(groups.values())


def _nothing_filled(wrong: Sequence[tuple[Field, ViewpointError]], count: int) -> ViewpointError:
    if len(wrong) == 1:
        field, error = wrong[0]
        error.message = f'Nothing was filled. Field "{field.name}": {error.message}'
        return error
    lines = [f'- "{field.name}": {error}' for field, error in wrong]
    return ElementError(
        "\n".join([f"Nothing was filled: {len(wrong)} of {count} fields are wrong.", *lines])
    )


def _names(entries: Iterable[_Entry]) -> str:
    names = [entry.field.name for entry in entries]
    return ", ".join(itertools.islice(names, 30)) + (", …" if len(names) > 30 else "")
