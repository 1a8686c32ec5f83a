"""Parser of Playwright's locators and selectors, as far as one element can be named by them.

    getByRole('button', { name: 'Save', exact: true })      page.getByText(/total/i).first()
    getByRole('row').filter({ hasText: 'Anna' }).getByRole('button')      locator('#list').nth(2)
    text=Save      role=button[name="Save"]      data-testid=cart >> text="Pay"
    locator('#payment').contentFrame().getByLabel('Card number')

Python's spelling works too: `get_by_role("button", name="Save")`. Nothing is evaluated: the text is
read into steps, which `inpage/actions/locate.js` performs.

Source: https://playwright.dev/docs/locators and https://playwright.dev/docs/other-locators.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

from viewpoint_mcp.errors import CallError

Step = Mapping[str, Any]
"""One step of a search, as JSON; see `LocateStep` in `inpage/types.d.ts`."""

_START: Final = re.compile(
    r"(?:await\s+)?(?:this\.)?(?:page\d*\.)?"
    r"(?=(?:getBy|get_by_)\w+\(|(?:locator|frameLocator|frame_locator)\()"
)
_CALL: Final = re.compile(r"\s*\.?\s*([A-Za-z_]\w*)\s*")
_PROPERTY: Final = re.compile(r"\s*([A-Za-z_]\w*)\s*[:=]\s*")
_STRING: Final = re.compile(
    r"""\s*(?:"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)'|`((?:[^`\\]|\\.)*)`)"""
)
_REGEX: Final = re.compile(r"\s*/((?:[^/\\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+)/([dgimsuvy]*)")
_WORD: Final = re.compile(r"\s*(-?\d+|true|false|True|False)\b")
_ENGINE: Final = re.compile(
    r"\s*(text|role|css|id|nth|data-testid|data-test-id|data-test)=", re.DOTALL
)
_ROLE_SELECTOR: Final = re.compile(r"\s*([\w-]+)\s*((?:\[[^\n]*\])?)\s*\Z")
_ROLE_ATTRIBUTE: Final = re.compile(
    r"""\[\s*([\w-]+)\s*(?:=\s*("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|/(?:[^/\\]|\\.)+/[a-z]*|[\w-]+)"""
    r"""\s*([is]?)\s*)?\]"""
)
_SEPARATOR: Final = re.compile(
    r"""((?:[^"'>]|>(?!>)|"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')*)(?:>>|\Z)"""
)
_ESCAPE: Final = re.compile(r"\\(.)", re.DOTALL)
_STATES: Final = frozenset({"checked", "disabled", "expanded", "level", "pressed", "selected"})
_PYTHON_PROPERTIES: Final = frozenset({"first", "last", "content_frame"})
_IGNORED_OPTIONS: Final = frozenset({"exact", "includeHidden"})
_FINDERS: Final[Mapping[str, Step]] = {
    "getByText": {"kind": "text"},
    "getByLabel": {"kind": "label"},
    "getByPlaceholder": {"kind": "attribute", "name": "placeholder"},
    "getByAltText": {"kind": "attribute", "name": "alt"},
    "getByTitle": {"kind": "attribute", "name": "title"},
}
_SUPPORTED: Final = (
    "Use getByRole, getByText, getByLabel, getByPlaceholder, getByAltText, getByTitle, getByTestId,"
    " locator('CSS'), filter({ hasText }), first(), last(), nth(), contentFrame(), or a ref."
)
ENTER_FRAME: Final[Step] = {"kind": "frame"}
"""The step from an iframe into its document. `locate.js` does not perform it."""
DEFAULT_TEST_IDS: Final = ("data-testid",)


def parse_playwright_locator(
    text: str, test_ids: Sequence[str] = DEFAULT_TEST_IDS
) -> list[Step] | None:
    """Parse a locator or selector; return None for any other text, such as a CSS selector.

    Args:
        test_ids: Names of the attributes that `getByTestId` searches.

    Raises:
        CallError: The text is a locator, but malformed, or with an unsupported part.
    """
    if start := _START.match(text):
        return _LocatorReader(text, start.end(), test_ids).read_calls()
    return _parse_selector(text) if _is_engine_selector(text) else None


def _is_engine_selector(text: str) -> bool:
    """Return whether a selector is not plain CSS, which has no `>>`."""
    return bool(_ENGINE.match(text)) or ">>" in text


class _LocatorReader:
    """Reads the calls of a locator from the left to the right."""

    def __init__(self, text: str, position: int, test_ids: Sequence[str]) -> None:
        self._text = text
        self._position = position
        self._test_ids = test_ids

    def read_calls(self) -> list[Step]:
        """Return the steps of all calls.

        Raises:
            CallError: See `parse_playwright_locator`.
        """
        steps: list[Step] = []
        while self._text[self._position :].strip(" \t\n;"):
            call = self._take(_CALL)
            has_arguments = self._take_character("(")
            if call is None or not (has_arguments or call[1] in _PYTHON_PROPERTIES):
                raise self._error()
            arguments, options = self._read_arguments() if has_arguments else ([], {})
            steps += self._make_steps(_to_camel_case(call[1]), arguments, options)
        return steps

    def _read_arguments(self) -> tuple[list[Any], dict[str, Any]]:
        arguments: list[Any] = []
        options: dict[str, Any] = {}
        while not self._take_character(")"):
            if self._take_character("{"):
                while not self._take_character("}"):
                    self._read_option(options)
                    self._take_character(",")
            elif not self._read_option(options, is_required=False):
                arguments.append(self._read_value())
            self._take_character(",")
        return arguments, options

    def _read_option(self, options: dict[str, Any], *, is_required: bool = True) -> bool:
        name = self._take(_PROPERTY)
        if name is None:
            if is_required:
                raise self._error()
            return False
        options[_to_camel_case(name[1])] = self._read_value()
        return True

    def _read_value(self) -> Any:
        """Return a string, number or boolean, or a matcher for a regular expression."""
        if found := self._take(_STRING):
            return _unescape(next(group for group in found.groups() if group is not None))
        if found := self._take(_REGEX):
            return {"regex": found[1], "flags": found[2]}
        if found := self._take(_WORD):
            return {"true": True, "false": False}.get(found[1].lower(), found[1])
        raise self._error()

    def _make_steps(
        self, method: str, arguments: Sequence[Any], options: Mapping[str, Any]
    ) -> list[Step]:
        is_exact = options.get("exact") is True
        match method, arguments:
            case "getByRole", [str(role)]:
                known = _STATES | _IGNORED_OPTIONS | {"name"}
                if options.keys() <= known:
                    return [_make_role_step(role, options, is_exact=is_exact)]
            case (("first" | "last"), []):
                return [{"kind": "nth", "index": 0 if method == "first" else -1}]
            case "nth", [str(index)] if index.lstrip("-").isdigit():
                return [{"kind": "nth", "index": int(index)}]
            case "locator", [str(selector)] if options.keys() <= {"hasText", "hasNotText"}:
                return [*_parse_selector(selector), *_make_filter(options)]
            case "contentFrame", []:
                return [ENTER_FRAME]
            case "frameLocator", [str(selector)]:
                return [*_parse_selector(selector), ENTER_FRAME]
            case "getByTestId", [str() | dict() as text]:
                matcher = _make_matcher(text, is_exact=True)
                return [{"kind": "testId", "names": list(self._test_ids), "text": matcher}]
            case "filter", [] if options and options.keys() <= {"hasText", "hasNotText"}:
                return _make_filter(options)
            case "filter", [] if dict(options) == {"visible": True}:
                return [{"kind": "visible"}]
            case _, [str() | dict() as text] if method in _FINDERS and options.keys() <= {"exact"}:
                return [{**_FINDERS[method], "text": _make_matcher(text, is_exact=is_exact)}]
        raise CallError(f"{self._text}: {method}() is not supported in this form.", _SUPPORTED)

    def _take(self, pattern: re.Pattern[str]) -> re.Match[str] | None:
        found = pattern.match(self._text, self._position)
        if found is not None:
            self._position = found.end()
        return found

    def _take_character(self, character: str) -> bool:
        rest = self._text[self._position :]
        if not rest.lstrip().startswith(character):
            return False
        self._position += len(rest) - len(rest.lstrip()) + 1
        return True

    def _error(self) -> CallError:
        rest = self._text[self._position :].strip()[:20] or "the end"
        return CallError(f"{self._text} is not a valid locator: see {rest}.", _SUPPORTED)


def _parse_selector(selector: str) -> list[Step]:
    """Return the steps of a selector: CSS, or engines such as `text=`, joined by `>>`."""
    steps: list[Step] = []
    position = 0
    while not steps or selector[:position].endswith(">>"):
        part = _SEPARATOR.match(selector, position)
        if part is None or not part[1].strip():
            raise CallError(f"{selector} is not a valid selector.", _SUPPORTED)
        position = part.end()
        steps.append(_parse_selector_part(part[1].strip()))
    return steps


def _parse_selector_part(part: str) -> Step:
    engine = _ENGINE.match(part)
    if engine is None:
        return {"kind": "css", "selector": part}
    body = part[engine.end() :].strip()
    match engine[1]:
        case "css":
            return {"kind": "css", "selector": body}
        case "text":
            quoted = _STRING.fullmatch(body)
            return {
                "kind": "text",
                "text": _make_matcher(_read_quoted(body), is_exact=bool(quoted)),
            }
        case "nth" if body.lstrip("-").isdigit():
            return {"kind": "nth", "index": int(body)}
        case "role":
            return _parse_role_selector(part, body)
        case "nth":
            raise CallError(f"{part} is not a valid selector.", _SUPPORTED)
        case attribute:
            text = {"text": str(_read_quoted(body)), "exact": True}
            return {"kind": "attribute", "name": attribute, "text": text}


def _parse_role_selector(part: str, body: str) -> Step:
    found = _ROLE_SELECTOR.match(body)
    if found is None or _ROLE_ATTRIBUTE.sub("", found[2]).strip():
        raise CallError(f"{part} is not a valid selector.", _SUPPORTED)
    attributes = list(_ROLE_ATTRIBUTE.finditer(found[2]))
    options = {each[1]: _read_quoted(each[2]) if each[2] else True for each in attributes}
    options = {name: {"true": True, "false": False}.get(str(v), v) for name, v in options.items()}
    if not options.keys() <= _STATES | {"name"}:
        raise CallError(f"{part} is not a valid selector.", _SUPPORTED)
    is_exact = any(each[1] == "name" and each[3] == "s" for each in attributes)
    return _make_role_step(found[1], options, is_exact=is_exact)


def _make_role_step(role: str, options: Mapping[str, Any], *, is_exact: bool) -> Step:
    step: dict[str, Any] = {"kind": "role", "role": {"image": "img"}.get(role, role)}
    if "name" in options:
        step["text"] = _make_matcher(options["name"], is_exact=is_exact)
    states = {name: value for name, value in options.items() if name in _STATES}
    if "level" in states:
        states["level"] = int(states["level"])
    return {**step, "states": states} if states else step


def _make_filter(options: Mapping[str, Any]) -> list[Step]:
    return [
        {"kind": kind, "text": _make_matcher(options[kind], is_exact=False)}
        for kind in ("hasText", "hasNotText")
        if kind in options
    ]


def _make_matcher(text: Any, *, is_exact: bool) -> Mapping[str, Any]:
    if isinstance(text, dict):
        return text
    return {"text": " ".join(str(text).split()), "exact": is_exact}


def _read_quoted(text: str) -> Any:
    """Return the content of a quoted text, a matcher for a regular expression, or the text."""
    if quoted := _STRING.fullmatch(text):
        return _unescape(next(group for group in quoted.groups() if group is not None))
    if regex := _REGEX.fullmatch(text):
        return {"regex": regex[1], "flags": regex[2]}
    return text


def _unescape(text: str) -> str:
    return _ESCAPE.sub(r"\1", text)


def _to_camel_case(name: str) -> str:
    return re.sub(r"_([a-z])", lambda found: found[1].upper(), name)
