"""Option selection: native lists by script with input events, other lists by opening them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from viewpoint_mcp.errors import TAKE_NEW_SNAPSHOT, ElementDisabledError, ElementError, PageError
from viewpoint_mcp.page.actions.text_input import TextInput, focus_text_field, quote
from viewpoint_mcp.page.reply_note import ReplyNote

if TYPE_CHECKING:
    from viewpoint_mcp.page.actions.element import Element

_LIST_TIMEOUT = 0.5  # seconds for a list to open, or to accept a choice
_SCROLL_TIMEOUT = 10.0  # seconds to scroll through a list that draws only a part of its options
_CALL_MARGIN = 5.0  # seconds added to the limits of a call
_FILTER_TIMEOUT = 2.0  # seconds for a list to show the options that match typed text


async def select_options(element: Element, values: Sequence[str]) -> ReplyNote:
    """Choose exactly these options, and settle.

    Args:
        values: The value or the text of each option.

    Returns:
        A sentence about the current choice.

    Raises:
        ElementError: An option does not exist, or was not chosen. For a missing option, the message
            lists the available ones.
    """
    choice = OptionSelection(element, values)
    async with element.page.settle_afterwards():
        await element.page.current_action.record_state_before_events(element.frame)
        await choice.select()
    return await choice.verify_and_describe_choice()


class OptionSelection:
    """Selection of options in one list.

    Args:
        element: The list, or the element that opens it.
        values: The value or the text of each option.
        can_be_replaced: Whether the element was checked as a field of a form. If the page has
            replaced it since, the only similar element is used.

    Attributes:
        has_changed: Whether another option was selected before.
        note: A sentence for the reply if the control does not show the chosen option.
    """

    def __init__(
        self, element: Element, values: Sequence[str], *, can_be_replaced: bool = False
    ) -> None:
        self._element = element
        self._page = element.page
        self._values = values
        self._options: dict[str, Any] = {"isKnown": can_be_replaced}
        self._kind = ""
        self._labels: list[str] = list(values)
        self._shown_before = ""
        self._has_opened_list = False
        self._is_confirmed = False  # whether the open list showed exactly the choice
        self.has_changed = True
        self.note = ""

    async def select(self) -> None:
        """Choose the options.

        Raises:
            ElementError: The options cannot be chosen.
        """
        answer = await self._element.prepare_for_action(
            "choose", {"values": list(self._values), **self._options}
        )
        if "refused" in answer:
            raise selection_error(self._element.label, answer)
        self._kind = answer["kind"]
        if self._kind == "select":
            self._labels, self.has_changed = answer["chosen"], answer["hasChanged"]
        elif self._kind == "datalist":
            self._labels = [answer["text"]]
            field = await focus_text_field(self._element, {"replace": True, **self._options})
            await TextInput(self._element, answer["text"], field).send_text()
        else:
            try:
                await self._open_list_and_select()
            except ElementError:
                if self._has_opened_list:
                    with suppress(PageError):
                        await self._close_list()
                raise

    async def verify_and_describe_choice(self) -> ReplyNote:
        """Return a sentence about the current choice.

        Raises:
            ElementError: The choice differs from the request.
        """
        option_names = _join_quoted(self._labels)
        label = self._element.label
        if self._page.blockers.blocking_error() is not None:
            return f"Selected {option_names} in {label}"
        if self._kind == "select":
            chosen = await self._call_inpage_if_document_remains("chosenIn")
            if chosen is not None and sorted(chosen) != sorted(self._labels):
                raise ElementError(
                    f"{label} did not keep {option_names}: {_join_quoted(chosen)} is selected now.",
                    "Take a new snapshot: the page may have changed the list.",
                )
        elif self._kind == "list" and not self._is_confirmed:
            if self.has_changed:
                self.note = await self._verify_list_shows_choice(option_names)
            else:
                self.has_changed = await self._shows_other_text()
        if self.note:
            return self.note
        if not self.has_changed:
            return f"{option_names} was already selected in {label}"
        return f"Selected {option_names} in {label}"

    async def _verify_list_shows_choice(self, option_names: str) -> ReplyNote:
        """Return a note if the control keeps its label after the page handled the click; else "".

        Raises:
            ElementError: The page did not react to the click.
        """
        answer = await self._call_inpage_if_document_remains(
            "shownAsChosen", self._labels, self._build_inpage_timeout_options(_LIST_TIMEOUT)
        )
        if answer is None or answer["isTaken"]:
            return ""
        shown_text = (
            _join_quoted(answer["selected"]) if answer["selected"] else quote(answer["shown"])
        )
        if answer["hasReacted"]:
            return (
                f"Clicked {option_names} in {self._element.label}, which still shows {shown_text}"
            )
        raise ElementError(
            f"{option_names} was clicked, but {self._element.label} shows {shown_text}.",
            TAKE_NEW_SNAPSHOT,
        )

    async def _shows_other_text(self) -> bool:
        """Return whether the control shows another text than before the choice.

        The option counted as selected, but some lists mark the active option so.
        """
        options = {"patience": 0, "timeout": 0, **self._options}
        answer = await self._call_inpage_if_document_remains("shownAsChosen", self._labels, options)
        return answer is not None and answer["shown"] != self._shown_before

    async def _open_list_and_select(self) -> None:
        state = await self._read_list_state(self._values)
        self._shown_before = state["shown"]
        if not state["isOpen"] and [state["shown"]] == [" ".join(v.split()) for v in self._values]:
            self.has_changed, self._is_confirmed = False, True
            return
        await self._open_list(state)
        option = await self._find_option(self._values[0], state) if self._values else None
        state |= await self._wait_for_list_state()
        if not state["isMultiple"] and len(self._values) == 1 and option is not None:
            self._labels, self.has_changed = [option["label"]], not option["isChosen"]
            await self._click_number(option["number"])
            return
        if state["isMultiple"] is False or (option is None and not state["isMultiple"]):
            raise selection_error(self._element.label, {"refused": "several"})
        await self._toggle_options(state)

    async def _toggle_options(self, list_state: dict[str, Any]) -> None:
        """Change a list of several choices to exactly the requested ones.

        Raises:
            ElementError: An option cannot be chosen, or the list closes and shows only one: it
                did not say whether it accepts several.
        """
        options = [await self._find_option(value, list_state) for value in self._values]
        self._labels = [option["label"] for option in options]
        wrong = [label for label in list_state["selected"] if label not in self._labels]
        missing = [
            (value, option["label"])
            for value, option in zip(self._values, options, strict=True)
            if not option["isChosen"]
        ]
        self.has_changed = bool(wrong or missing)
        state, only_label = list_state, ""
        for value, label in [*((label, label) for label in wrong), *missing]:
            state = await self._read_list_state([value], is_again=True)
            if only_label and not state["isOpen"] and state["shown"] == only_label:
                answer = {"refused": "several", "chosen": only_label}
                raise selection_error(self._element.label, answer)
            await self._open_list(state)
            await self._click_number((await self._find_option(value, list_state))["number"])
            if self._page.blockers.blocking_error() is not None:
                return
            is_wanted = label not in wrong
            only_label = label if is_wanted and not list_state["isMultiple"] else ""
            state = await self._wait_for_list_state({"label": label, "isChosen": is_wanted})
        self._is_confirmed = sorted(state["selected"]) == sorted(self._labels)
        if self._has_opened_list and state["isOpen"]:
            await self._close_list()

    async def _close_list(self) -> None:
        """Close the list, which would cover what comes next.

        Some lists take Tab for a choice, and Escape could close a dialog around the list.
        """
        options = self._build_inpage_timeout_options(_LIST_TIMEOUT)
        if not await self._call_inpage("leaveList", options):
            keyboard = self._page.keyboard
            await self._page.current_action.perform_until_dialog(keyboard.press("Escape"))

    async def _wait_for_list_state(self, *awaited: dict[str, Any]) -> dict[str, Any]:
        options = self._build_inpage_timeout_options(_LIST_TIMEOUT)
        state: dict[str, Any] = await self._call_inpage("stateOfList", options, *awaited)
        return state

    async def _open_list(self, state: dict[str, Any]) -> None:
        if not state["isOpen"]:
            await self._click_number(state["opener"])
            self._has_opened_list = True

    async def _read_list_state(
        self, values: Sequence[str], *, is_again: bool = False
    ) -> dict[str, Any]:
        options = self._build_inpage_timeout_options(_LIST_TIMEOUT) | {"isAgain": is_again}
        state: dict[str, Any] = await self._call_inpage("beforeOpening", list(values), options)
        return state

    async def _find_option(self, value: str, list_state: dict[str, Any]) -> dict[str, Any]:
        option = await self._search_option(value, _LIST_TIMEOUT)
        if option.get("refused") == "missing" and not option["offered"]:
            # The click may only have closed another list.
            await self._open_list(
                await self._wait_for_list_state() | {"opener": list_state["opener"]}
            )
            option = await self._search_option(value, _LIST_TIMEOUT)
        if option.get("refused") == "missing" and list_state["isEditable"]:
            field = await focus_text_field(self._element, {"replace": True, **self._options})
            await TextInput(self._element, value, field).send_text()
            filtered = await self._search_option(value, _FILTER_TIMEOUT)
            if filtered.get("refused") == "missing":
                # If the filter leaves nothing, the error names what was offered before.
                option = (filtered if filtered["offered"] else option) | {"isTyped": True}
            else:
                option = filtered
        if "refused" in option:
            raise selection_error(self._element.label, option)
        return option

    async def _search_option(self, value: str, timeout: float) -> dict[str, Any]:
        options = {
            "scrolling": _SCROLL_TIMEOUT * 1000,
            **self._build_inpage_timeout_options(timeout),
        }
        option: dict[str, Any] = await self._call_inpage("findOption", value, options)
        return option

    def _build_inpage_timeout_options(self, seconds: float) -> dict[str, Any]:
        limit = self._page.timeouts.action
        times = {"patience": min(seconds, limit) * 1000, "timeout": limit * 1000}
        return {**times, **self._options}

    async def _click_number(self, number: int) -> None:
        await self._page.elements.get_by_number(self._element.frame, number).click()

    async def _call_inpage_if_document_remains(self, function: str, *args: object) -> Any:
        """Ask the page after the action; None if its document is gone or does not answer."""
        with suppress(PageError):
            return await self._call_inpage(function, *args)
        return None

    async def _call_inpage(self, function: str, *args: object) -> Any:
        element = self._element
        limit = self._page.timeouts.action + _SCROLL_TIMEOUT + _CALL_MARGIN
        return await self._page.call_inpage(
            element.frame, function, element.ref.element, *args, timeout=limit
        )


def selection_error(label: str, answer: dict[str, Any]) -> ElementError:
    """Return the error for a choice that `inpage` refused."""
    match answer["refused"]:
        case "several":
            chosen = f"; {quote(answer['chosen'])} is selected now" if "chosen" in answer else ""
            return ElementError(
                f"{label} accepts one option{chosen}.",
                "Pass exactly one value: the option's text or value.",
            )
        case "off":
            return ElementDisabledError(
                f"The option {quote(answer['value'])} of {label} is disabled."
            )
        case "missing" if answer.get("isReadonly"):
            return ElementDisabledError(f"{label} is read-only.")
        case "missing":
            available_options = [quote(each) for each in answer["offered"]]
            more = f" and {answer['more']} more" if answer["more"] else ""
            available = (
                f"It has {', '.join(available_options)}{more}."
                if available_options
                else "It shows no options."
            )
            typed = ", also after it was typed" if answer.get("isTyped") else ""
            return ElementError(
                f"{label} has no option {quote(answer['value'])}{typed}.", available
            )
    return ElementDisabledError(
        f"{label} is not a list of options.", "Use browser_click or browser_type."
    )


def _join_quoted(labels: Iterable[str]) -> str:
    return ", ".join(quote(label) for label in labels) or "nothing"
