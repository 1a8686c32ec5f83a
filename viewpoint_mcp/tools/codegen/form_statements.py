"""Translation of the tools that fill in forms into statements."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from viewpoint_mcp.accessibility.search.playwright_locator import Step
from viewpoint_mcp.tools.codegen.recorded_call import RecordedCall
from viewpoint_mcp.tools.codegen.statements import Method, PageFunction, Statement

if TYPE_CHECKING:
    from viewpoint_mcp.tools.input.forms import FormField

_TEXT_CONTROLS: Final = ("input:text", "input:search", "input:email", "input:tel", "input:url")


def _type(call: RecordedCall) -> list[Statement]:
    args = call.args
    if args.ref is None:
        statements: list[Statement] = [call.on_page("keyboard.type", args.text)]
        return [*statements, call.on_page("keyboard.press", "Enter")] if args.submit else statements
    method = "pressSequentially" if args.slowly else "fill"
    statements = [call.on_element(args.ref, method, args.text)]
    if args.submit:
        statements.append(call.on_element(args.ref, "press", "Enter"))
    return statements


def _select_text(call: RecordedCall) -> list[Statement]:
    locator = call.locator(call.args.ref)
    if locator is None or not locator.control.startswith(("input:", "textarea")):
        return [call.cannot_be_written("it selected a part of a text")]
    script = (
        "(field, [text, index]) => { let start = -1; "
        "for (let count = 0; count <= index; count += 1) "
        "start = field.value.indexOf(text, start + 1); "
        "field.focus(); field.setSelectionRange(start, start + text.length); }"
    )
    index = (call.args.occurrence or 1) - 1
    return [
        call.on_element(call.args.ref, "evaluate", PageFunction(script), [call.args.text, index])
    ]


def _select_option(call: RecordedCall) -> list[Statement]:
    return _choose(call, call.args.ref, list(call.args.values))


def _fill_form(call: RecordedCall) -> list[Statement]:
    return [statement for field in call.args.fields for statement in _fill_field(call, field)]


def _fill_field(call: RecordedCall, field: FormField) -> list[Statement]:
    locator = call.locator(field.ref)
    control = locator.control if locator is not None else ""
    is_radio = locator is not None and locator.role == "radio"
    match field.type:
        case "checkbox":
            return [call.on_element(field.ref, "setChecked", field.value == "true")]
        case "radio" if is_radio:
            return [call.on_element(field.ref, "setChecked", True)]
        case "radio" if locator is not None:
            option = {"kind": "role", "role": "radio", "text": _part(field.value)}
            return [Method(call.page_name, "check", (), {}, [*locator.steps, option])]
        case "combobox":
            return _choose(call, field.ref, [field.value])
        case "slider" if not control.startswith("input:"):
            return [call.cannot_be_written("a slider that is no input")]
        case _:
            return [call.on_element(field.ref, "fill", field.value)]


def _choose(call: RecordedCall, ref: str, values: list[str]) -> list[Statement]:
    """Return the statements that select options of a native list, or of another one."""
    locator = call.locator(ref)
    if locator is None:
        return [call.cannot_be_written("Playwright cannot find its element")]
    if locator.control == "select":
        return [call.on_element(ref, "selectOption", values[0] if len(values) == 1 else values)]
    if locator.control in _TEXT_CONTROLS and len(values) == 1 and locator.has_list:
        return [call.on_element(ref, "fill", values[0])]
    statements: list[Statement] = []
    for value in values:
        option: Step = {"kind": "role", "role": "option", "text": _part(value)}
        steps: Sequence[Step] = [option] if locator.role != "listbox" else [*locator.steps, option]
        if locator.role != "listbox":
            statements.append(call.on_element(ref, "click"))
        statements.append(Method(call.page_name, "click", (), {}, steps))
    return statements


def _part(text: str) -> dict[str, object]:
    return {"text": " ".join(text.split()), "exact": False}


FORM_TRANSLATIONS: Final[Mapping[str, Callable[[RecordedCall], list[Statement]]]] = (
    MappingProxyType(
        {
            "browser_type": _type,
            "browser_select_text": _select_text,
            "browser_select_option": _select_option,
            "browser_fill_form": _fill_form,
        }
    )
)
"""The translations, by the names of the tools."""
