"""Translation of page tools into statements: navigation, mouse, keyboard, waits."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final

from msgspec import UNSET

from viewpoint_mcp.accessibility.search.playwright_locator import Step, parse_playwright_locator
from viewpoint_mcp.errors import CallError
from viewpoint_mcp.input.keys import parse_combo
from viewpoint_mcp.page.network.url_to_open import complete_url
from viewpoint_mcp.tools.codegen.form_statements import FORM_TRANSLATIONS
from viewpoint_mcp.tools.codegen.recorded_call import RecordedCall
from viewpoint_mcp.tools.codegen.statements import (
    LocatorArgument,
    Method,
    PageFunction,
    Statement,
    UrlPart,
    Value,
)
from viewpoint_mcp.tools.codegen.verification_statements import VERIFICATION_TRANSLATIONS

Translation = Callable[[RecordedCall], list[Statement]]

_FIRST: Final[Step] = {"kind": "nth", "index": 0}
_FUNCTION: Final = re.compile(r"\s*(?:async\s+)?(?:function\b|(?:\([^()]*\)|[\w$]+)\s*=>)")
_STATEMENTS: Final = re.compile(
    r";\s*\S|^\s*(?:const|let|var|if|for|while|return|throw)\b", re.MULTILINE
)


def _navigate(call: RecordedCall) -> list[Statement]:
    url = complete_url(call.args.url, files_allowed=True)
    if call.result is not None and "is a download" in call.result.text:
        return [call.cannot_be_written(f"{url} is a download")]
    return [call.on_page("goto", url)]


def _click(call: RecordedCall) -> list[Statement]:
    args = call.args
    options = {} if args.button == "left" else {"button": args.button}
    if args.modifiers:
        options["modifiers"] = list(args.modifiers)
    method = "dblclick" if args.double_click else "click"
    return [call.on_element(args.ref, method, **options)]


def _drag(call: RecordedCall) -> list[Statement]:
    end = call.locator(call.args.end_ref)
    if end is None:
        return [call.cannot_be_written("Playwright cannot find its element")]
    target = LocatorArgument(call.page_name, end.steps)
    return [call.on_element(call.args.start_ref, "dragTo", target)]


def _drop(call: RecordedCall) -> list[Statement]:
    args = call.args
    content = {}
    if args.paths:
        content["files"] = args.paths[0] if len(args.paths) == 1 else list(args.paths)
    if args.data:
        content["data"] = dict(args.data)
    return [call.on_element(args.ref, "drop", content)]


def _scroll(call: RecordedCall) -> list[Statement]:
    if call.args.to is not None:
        return [call.cannot_be_written("it scrolled the content of an element")]
    return [call.on_element(call.args.ref, "scrollIntoViewIfNeeded")]


def _press_key(call: RecordedCall) -> list[Statement]:
    return [call.on_page("keyboard.press", name_key(call.args.key))]


def name_key(key: str) -> str:
    """Return a key or a combination in the words of Playwright."""
    if len(key) == 1:
        return key
    combo = parse_combo(key)
    names = [*(modifier.key for modifier in combo.modifiers), combo.key.key]
    return "+".join("Space" if name == " " else name for name in names)


def _evaluate(call: RecordedCall) -> list[Statement]:
    source = call.args.function.strip()
    script: Value = PageFunction(source)
    if not _FUNCTION.match(source):
        has_statements = _STATEMENTS.search(source) is not None
        script = PageFunction(f"() => {{ {source} }}") if has_statements else source
    if call.args.ref is None:
        return [call.on_page("evaluate", script)]
    return [call.on_element(call.args.ref, "evaluate", script)]


def _wait_for(call: RecordedCall) -> list[Statement]:
    args, statements = call.args, list[Statement]()
    if args.url:
        statements.append(call.on_page("waitForURL", UrlPart(args.url)))
    for text, state in ((args.text, "visible"), (args.text_gone, "hidden")):
        if text:
            step: Step = {"kind": "text", "text": {"text": text, "exact": False}}
            steps = [step, _FIRST]
            statements.append(Method(call.page_name, "waitFor", (), {"state": state}, steps))
    if args.ref:
        statements.append(_wait_for_element(call))
    if not statements:
        statements.append(call.on_page("waitForTimeout", round(1000 * args.time)))
    return statements


def _wait_for_element(call: RecordedCall) -> Statement:
    try:
        steps = parse_playwright_locator(call.args.ref)
    except CallError:
        steps = None
    if steps is None:
        return call.cannot_be_written(f"it waited for {call.args.ref}")
    return Method(call.page_name, "waitFor", (), {}, [*steps, _FIRST])


def _screenshot(call: RecordedCall) -> list[Statement]:
    args = call.args
    options = {"path": args.filename or "screenshot.png"}
    if args.ref is not None:
        return [call.on_element(args.ref, "screenshot", **options)]
    if args.full_page:
        options = {**options, "fullPage": True}
    return [call.on_page("screenshot", options=options)]


def _emulate_media(call: RecordedCall) -> list[Statement]:
    names = {
        "media": "media",
        "color_scheme": "colorScheme",
        "reduced_motion": "reducedMotion",
        "forced_colors": "forcedColors",
        "contrast": "contrast",
    }
    options = {}
    for field, name in names.items():
        value = getattr(call.args, field)
        if value is not UNSET:
            options[name] = "null" if value is None else value
    return [call.on_page("emulateMedia", options=options)]


def _click_xy(call: RecordedCall) -> list[Statement]:
    args = call.args
    options: dict[str, Value] = {}
    if args.button != "left":
        options["button"] = args.button
    if args.click_count != 1:
        options["clickCount"] = args.click_count
    if args.delay:
        options["delay"] = args.delay
    return [call.on_page("mouse.click", args.x, args.y, options=options)]


def _drag_xy(call: RecordedCall) -> list[Statement]:
    args = call.args
    return [
        call.on_page("mouse.move", args.start_x, args.start_y),
        call.on_page("mouse.down"),
        call.on_page("mouse.move", args.end_x, args.end_y),
        call.on_page("mouse.up"),
    ]


def _mouse_button(method: str) -> Translation:
    def translate(call: RecordedCall) -> list[Statement]:
        button = call.args.button
        options = {} if button == "left" else {"button": button}
        return [call.on_page(method, options=options)]

    return translate


def _set_item(storage: str) -> Translation:
    def translate(call: RecordedCall) -> list[Statement]:
        script = f"([key, value]) => {storage}.setItem(key, value)"
        return [call.on_page("evaluate", PageFunction(script), [call.args.key, call.args.value])]

    return translate


def _remove_item(storage: str) -> Translation:
    def translate(call: RecordedCall) -> list[Statement]:
        script = PageFunction(f"key => {storage}.removeItem(key)")
        return [call.on_page("evaluate", script, call.args.key)]

    return translate


def _clear_items(storage: str) -> Translation:
    return lambda call: [call.on_page("evaluate", PageFunction(f"() => {storage}.clear()"))]


PAGE_TRANSLATIONS: Final[Mapping[str, Translation]] = MappingProxyType(
    {
        "browser_navigate": _navigate,
        "browser_navigate_back": lambda call: [call.on_page("goBack")],
        "browser_navigate_forward": lambda call: [call.on_page("goForward")],
        "browser_reload": lambda call: [call.on_page("reload")],
        "browser_click": _click,
        "browser_hover": lambda call: [call.on_element(call.args.ref, "hover")],
        "browser_drag": _drag,
        "browser_drop": _drop,
        "browser_scroll_into_view": _scroll,
        "browser_press_key": _press_key,
        "browser_evaluate": _evaluate,
        "browser_wait_for": _wait_for,
        "browser_take_screenshot": _screenshot,
        "browser_pdf_save": lambda call: [
            call.on_page("pdf", options={"path": call.args.filename or "page.pdf"})
        ],
        "browser_resize": lambda call: [
            call.on_page("setViewportSize", {"width": call.args.width, "height": call.args.height})
        ],
        "browser_emulate_media": _emulate_media,
        "browser_mouse_click_xy": _click_xy,
        "browser_mouse_move_xy": lambda call: [
            call.on_page("mouse.move", call.args.x, call.args.y)
        ],
        "browser_mouse_drag_xy": _drag_xy,
        "browser_mouse_down": _mouse_button("mouse.down"),
        "browser_mouse_up": _mouse_button("mouse.up"),
        "browser_mouse_wheel": lambda call: [
            call.on_page("mouse.wheel", call.args.delta_x, call.args.delta_y)
        ],
        "browser_localstorage_set": _set_item("localStorage"),
        "browser_localstorage_delete": _remove_item("localStorage"),
        "browser_localstorage_clear": _clear_items("localStorage"),
        "browser_sessionstorage_set": _set_item("sessionStorage"),
        "browser_sessionstorage_delete": _remove_item("sessionStorage"),
        "browser_sessionstorage_clear": _clear_items("sessionStorage"),
        **FORM_TRANSLATIONS,
        **VERIFICATION_TRANSLATIONS,
    }
)
"""The translations of page tools, by the names of the tools. `SessionRecorder` handles dialogs and
file choosers itself."""

OBSERVATIONS: Final = frozenset({"browser_take_screenshot", "browser_pdf_save"})
"""Tools whose code a test can do without."""
