"""Writer of Playwright locators, the reverse of `playwright_locator`.

getByRole('button', { name: 'Save', exact: true })
get_by_role("button", name="Save", exact=True)
locator('iframe').contentFrame().getByLabel('Card')
locator("iframe").content_frame.get_by_label("Card")
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any, Final, Literal

from viewpoint_mcp.accessibility.search.playwright_locator import Step

LocatorLanguage = Literal["typescript", "python"]

_WORD_START: Final = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_METHODS: Final[Mapping[str, str]] = {
    "placeholder": "getByPlaceholder",
    "alt": "getByAltText",
    "title": "getByTitle",
    "text": "getByText",
    "label": "getByLabel",
}


def render_locator(steps: Sequence[Step], language: LocatorLanguage = "typescript") -> str:
    """Return the code of a locator, without the page before it.

    Args:
        steps: Steps as `generateLocator` of `inpage` returns them, with plain texts.
    """
    write = _write_typescript if language == "typescript" else _write_python
    return ".".join(write(*_call_of(step)) for step in steps)


def quote_typescript(text: str) -> str:
    """Return a string literal with single quotes."""
    inner = json.dumps(text, ensure_ascii=False)[1:-1].replace('\\"', '"').replace("'", "\\'")
    return f"'{inner}'"


def quote_python(text: str) -> str:
    """Return a string literal with double quotes."""
    return json.dumps(text, ensure_ascii=False)


def to_snake_case(name: str) -> str:
    """Return the Python name of a method of Playwright."""
    return _WORD_START.sub("_", name).lower()


def _call_of(step: Step) -> tuple[str, list[str | int], dict[str, Any]]:
    """Return the method for a step, its arguments, and its options."""
    text = step.get("text", {})
    exact = {"exact": True} if text.get("exact") else {}
    match step["kind"]:
        case "role":
            name = {"name": text["text"]} if text else {}
            return "getByRole", [step["role"]], {**name, **exact}
        case "attribute":
            return _METHODS[step["name"]], [text["text"]], exact
        case "testId":
            return "getByTestId", [text["text"]], {}
        case "hasText" | "hasNotText" as kind:
            return "filter", [], {kind: text["text"]}
        case "visible":
            return "filter", [], {"visible": True}
        case "css":
            return "locator", [step["selector"]], {}
        case "nth":
            return ("first", [], {}) if step["index"] == 0 else ("nth", [step["index"]], {})
        case "frame":
            return "contentFrame", [], {}
        case kind:
            return _METHODS[kind], [text["text"]], exact


def _write_typescript(method: str, arguments: list[str | int], options: dict[str, Any]) -> str:
    written = [quote_typescript(each) if isinstance(each, str) else str(each) for each in arguments]
    if options:
        pairs = (
            f"{name}: {'true' if value is True else quote_typescript(value)}"
            for name, value in options.items()
        )
        written.append(f"{{ {', '.join(pairs)} }}")
    return f"{method}({', '.join(written)})"


def _write_python(method: str, arguments: list[str | int], options: dict[str, Any]) -> str:
    if method == "first":
        return "first"
    if method == "contentFrame":
        return "content_frame"
    written = [quote_python(each) if isinstance(each, str) else str(each) for each in arguments]
    written += [
        f"{to_snake_case(name)}={'True' if value is True else quote_python(value)}"
        for name, value in options.items()
    ]
    return f"{to_snake_case(method)}({', '.join(written)})"
