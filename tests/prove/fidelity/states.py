"""Compares the states and values of controls, where both sides report them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from tests.browser.walker.walked import spaced
from tests.prove.fidelity.element_report import ElementReport

STATES: Final = "states"
"""Name of the class."""

FLAGS: Final = ("disabled", "selected", "readonly", "required", "multiline")

VALUED: Final = frozenset(
    ["textbox", "searchbox", "spinbutton", "slider", "progressbar", "meter", "scrollbar"]
)


SPEAKING: Final = ("<input", "<textarea", "<meter", "<progress")
"""Elements whose value is their own; that of others is their text, which is printed in them."""


def differences(ours: ElementReport, chrome: ElementReport, element: str) -> Iterator[str]:
    """Yield `state: ours, Chrome's` for each difference.

    Args:
        element: Its start tag.
    """
    mine, theirs = _ours(ours), _chromes(ours.role, chrome.states)
    for state in sorted(mine.keys() | theirs.keys()):
        if state == "value" and not element.startswith(SPEAKING):
            continue
        if mine.get(state) != theirs.get(state):
            yield f"{state}: {mine.get(state)!r}, Chrome: {theirs.get(state)!r}"


def _ours(report: ElementReport) -> dict[str, object]:
    states = report.states
    found: dict[str, object] = {name: True for name in FLAGS if states.get(name)}
    if report.role == "heading":
        found["level"] = states.get("level")
    if states.get("invalid"):
        found["invalid"] = True
    if states.get("checked"):
        found["checked"] = str(states["checked"]).lower()
    for name in ("pressed", "expanded"):
        if states.get(name) is not None:
            found[name] = str(states[name]).lower()
    if report.role in VALUED and states.get("value"):
        found["value"] = spaced(str(states["value"]))
    return _without_closed(report.role, found)


def _chromes(role: str, states: Mapping[str, Any]) -> dict[str, object]:
    found: dict[str, object] = {name: True for name in FLAGS if states.get(name)}
    if role == "heading":
        found["level"] = states.get("level")
    if states.get("invalid") not in {None, "false"}:
        found["invalid"] = True
    if states.get("checked") not in {None, "false"}:
        found["checked"] = str(states["checked"]).lower()
    for name in ("pressed", "expanded"):
        if states.get(name) is not None:
            found[name] = str(states[name]).lower()
    value = states.get("valuetext") or states.get("value")
    if role in VALUED and value not in {None, ""}:
        found["value"] = spaced(_number(value))
    return _without_closed(role, found)


def _without_closed(role: str, found: dict[str, object]) -> dict[str, object]:
    """Return the states without the collapsed state of <select>, which Chrome reports for all of
    them.
    """
    if role == "combobox" and found.get("expanded") == "false":
        del found["expanded"]
    return found


def _number(value: object) -> str:
    return f"{value:g}" if isinstance(value, float) else str(value)
