"""Option selection: native lists by script with input events, other lists by opening them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from viewpoint_mcp.errors import ElementDisabledError, ElementError, PageError
from viewpoint_mcp.page.actions.text_input import Typing, focus, quoted

if TYPE_CHECKING:
    from viewpoint_mcp.page.actions.element import Element

_PATIENCE = 0.5  # seconds for a list to open, or to accept a choice
_SCROLLING = 10.0  # seconds to scroll through a list that draws only a part of its options
_MARGIN = 5.0  # seconds added to the limits of a call
_FILTERING = 2.0  # seconds for a list to show the options that match typed text


async def select(element: Element, values: Sequence[str]) -> str:
    """Choose exactly these options, and settle.

    Args:
        values: The value or the text of each option.

    Returns:
        A sentence about the current choice.

    Raises:
        ElementError: An option does not exist, or was not chosen. For a missing option, the message
            lists the available ones.
    """
    choice = Choice(element, values)
    async with element.page.settle_afterwards():
        await element.page.current_action.record_state(element.frame)
        await choice.make()
    return await choice.verdict()


class Choice:
    """Selection of options in one list.

    Args:
        element: The list, or the element that opens it.
        values: The value or the text of each option.
        is_known: Whether the element was checked as a field of a form. If the page has replaced it
            since, the only similar element is used.

    Attributes:
        note: A sentence for the reply if the control does not show the chosen option.
    """

    def __init__(self, element: Element, values: Sequence[str], *, is_known: bool = False) -> None:
        self._element = element
        self._page = element.page
        self._values = values
        self._options: dict[str, Any] = {"isKnown": is_known}
        self._kind = ""
        self._labels: list[str] = list(values)
        self._has_changed = True
        self.note = ""

    async def make(self) -> None:
        """Choose the options.

        Raises:
            ElementError: The options cannot be chosen.
        """
        answer = await self._element.prepare(
            "choose", {"values": list(self._values), **self._options}
        )
        if "refused" in answer:
            raise refused(self._element.label, answer)
        self._kind = answer["kind"]
        if self._kind == "select":
            self._labels, self._has_changed = answer["chosen"], answer["hasChanged"]
        elif self._kind == "datalist":
            self._labels = [answer["text"]]
            field = await focus(self._element, {"replace": True, **self._options})
            await Typing(self._element, answer["text"], field).write()
        else:
            await self._choose_in_list()

    async def verdict(self) -> str:
        """Return a sentence about the current choice.

        Raises:
            ElementError: The choice differs from the request.
        """
        said = _listed(self._labels)
        label = self._element.label
        if self._page.blockers.blocking_error() is not None:
            return f"Selected {said} in {label}"
        if self._kind == "select":
            chosen = await self._ask_again("chosenIn")
            if chosen is not None and sorted(chosen) != sorted(self._labels):
                raise ElementError(
                    f"{label} did not keep {said}: {_listed(chosen)} is selected now.",
                    "Take a new snapshot: the page may have changed the list.",
                )
        elif self._kind == "list" and self._has_changed:
            self.note = await self._judge_list(said)
        if self.note:
            return self.note
        if not self._has_changed:
            return f"{said} was already selected in {label}"
        return f"Selected {said} in {label}"

    async def _judge_list(self, said: str) -> str:
        """Return a note if the control keeps its label after the page handled the click; else "".

        Raises:
            ElementError: The page did not react to the click.
        """
        told = await self._ask_again("shownAsChosen", self._labels, self._patience(_PATIENCE))
        if told is None or told["isTaken"]:
            return ""
        shows = _listed(told["selected"]) if told["selected"] else quoted(told["shown"])
        if told["hasReacted"]:
            return f"Clicked {said} in {self._element.label}, which still shows {shows}"
        raise ElementError(
            f"{said} was clicked, but {self._element.label} shows {shows}.",
            "Take a new snapshot to see what the page made of it.",
        )

    async def _choose_in_list(self) -> None:
        state = await self._before(self._values)
        if not state["isOpen"] and [state["shown"]] == [" ".join(v.split()) for v in self._values]:
            self._has_changed = False
            return
        if not state["isOpen"]:
            await self._element.click()
        first = await self._find(self._values[0], state) if self._values else None
        state = await self._ask("stateOfList", self._options) | {"isEditable": state["isEditable"]}
        if not state["isMultiple"]:
            if len(self._values) != 1 or first is None:
                raise refused(self._element.label, {"refused": "several"})
            self._labels, self._has_changed = [first["label"]], not first["isChosen"]
            await self._click(first)
            return
        await self._toggle(state)

    async def _toggle(self, state: dict[str, Any]) -> None:
        """Change a list of several choices to exactly the requested ones."""
        found = [await self._find(value, state) for value in self._values]
        self._labels = [each["label"] for each in found]
        wrong = [label for label in state["selected"] if label not in self._labels]
        missing = [each["label"] for each in found if not each["isChosen"]]
        self._has_changed = bool(wrong or missing)
        for label in [*wrong, *missing]:
            if self._page.blockers.blocking_error() is not None:
                return
            if not (await self._before([label]))["isOpen"]:
                await self._element.click()
            await self._click(await self._find(label, state))

    async def _before(self, values: Sequence[str]) -> dict[str, Any]:
        state: dict[str, Any] = await self._ask(
            "beforeOpening", list(values), self._patience(_PATIENCE)
        )
        return state

    async def _find(self, value: str, state: dict[str, Any]) -> dict[str, Any]:
        found = await self._look_for(value, _PATIENCE)
        if found.get("refused") == "missing" and state["isEditable"]:
            field = await focus(self._element, {"replace": True, **self._options})
            await Typing(self._element, value, field).write()
            found = await self._look_for(value, _FILTERING)
        if "refused" in found:
            raise refused(self._element.label, found)
        return found

    async def _look_for(self, value: str, patience: float) -> dict[str, Any]:
        options = {"scrolling": _SCROLLING * 1000, **self._patience(patience)}
        found: dict[str, Any] = await self._ask("findOption", value, options)
        return found

    def _patience(self, seconds: float) -> dict[str, Any]:
        limit = self._page.timeouts.action
        times = {"patience": min(seconds, limit) * 1000, "timeout": limit * 1000}
        return {**times, **self._options}

    async def _click(self, found: dict[str, Any]) -> None:
        await self._page.elements.get_by_number(self._element.frame, found["number"]).click()

    async def _ask_again(self, function: str, *args: object) -> Any:
        """Ask the page after the action; None if its document is gone or does not answer."""
        with suppress(PageError):
            return await self._ask(function, *args)
        return None

    async def _ask(self, function: str, *args: object) -> Any:
        element = self._element
        limit = self._page.timeouts.action + _SCROLLING + _MARGIN
        return await self._page.call_inpage(
            element.frame, function, element.ref.element, *args, timeout=limit
        )


def refused(label: str, answer: dict[str, Any]) -> ElementError:
    """Return the error for a choice that `inpage` refused."""
    match answer["refused"]:
        case "several":
            return ElementError(
                f"{label} takes one choice.", "Give exactly one value, by its text or value."
            )
        case "off":
            return ElementDisabledError(
                f"The option {quoted(answer['value'])} of {label} is disabled."
            )
        case "missing":
            offered = [quoted(each) for each in answer["offered"]]
            more = f" and {answer['more']} more" if answer["more"] else ""
            there = f"It has {', '.join(offered)}{more}." if offered else "It shows none."
            return ElementError(f"{label} has no option {quoted(answer['value'])}.", there)
    return ElementDisabledError(
        f"{label} offers no choice.", "Use browser_click or browser_type for what is no list."
    )


def _listed(labels: Iterable[str]) -> str:
    return ", ".join(quoted(label) for label in labels) or "nothing"
