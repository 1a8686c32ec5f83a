"""Arguments for tools, from their schemas: valid ones, and ones that are wrong in one place."""

from __future__ import annotations

import copy
import json
from collections.abc import Mapping
from typing import Any

from hypothesis import strategies as st

from tests.prove.fuzz.inputs import odd

Schema = Mapping[str, Any]
Values = st.SearchStrategy[Any]

_REFS = (
    *(f"e{number}" for number in range(1, 30)),
    *("f1e1", "e0", "e99999", "E1", "e1 e2", "ref=e3"),
    *("#name", "text=Buy", "button >> nth=1", "xpath=//a", "css=[", ">>", "*", "html", "iframe"),
    *("getByRole('button', { name: 'Buy' })", "getByLabel(", "role=button[name=/(a+)+$/]"),
)
_PATHS = ("/", "/page", "/missing", "/slow", "/empty", "/file", "/redirect", "/svg")
_URLS = (
    *("about:blank", "data:text/html,<p>x", "javascript:alert(1)", "http://127.0.0.1:9", "x y"),
    *(
        "file:///etc/hostname",
        "chrome://version",
        "http://[",
        "http://u:p@127.0.0.1:9/",
        "//",
        "?#",
    ),
)
PIPE = "pipe"  # a named pipe in the working directory of the server
_FILES = (
    "a.txt",
    "b.png",
    "c",
    "dir/d.json",
    "../e",
    "/etc/hostname",
    "/dev/full",
    "f\0",
    "n" * 300,
    PIPE,
)
_FUNCTIONS = (
    *("() => 1", "() => { throw new Error('x') }", "() => document.body.remove()", "x(", "async"),
    *("() => window", "() => ({ get a() { throw 1 } })", "(e) => e.tagName", "() => alert(1)"),
    *("() => Symbol()", "() => 2n ** 70n", "() => '\\ud800'", "() => 'x'.repeat(1e6)", "() => NaN"),
    "() => { document.open(); document.write('<p>new') }",
    "() => { history.back() }",
    "() => { location.href = '/page' }",
)
_TEXTS = (
    "Buy",
    "Shop",
    "",
    " ",
    "\n",
    "a" * 3000,
    "\ud800",
    "\0",
    "\u202eabc",
    "### Result",
    "(a+)+$",
)
# How long a call may take is not what is tested: it usually gets a short time.
_WAITS = ("time", "timeout")
_KEYS = ("Enter", "Tab", "a", "Control+A", "Shift+ArrowDown", "Meta", "F13", "Control+", "é", "")

_BY_NAME: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(("ref", "startRef", "endRef", "selector", "element"), _REFS),
    **dict.fromkeys(("filename", "path", "paths", "file"), _FILES),
    **dict.fromkeys(("function", "code", "expression", "script"), _FUNCTIONS),
    "key": _KEYS,
}


def _is_json(value: object) -> bool:
    try:
        json.dumps(value, allow_nan=False)
    except ValueError:  # infinite, or not a number: the answer to such a message has no id
        return False
    return True


_odd = odd.filter(_is_json)


def arguments_of(schema: Schema, site: str) -> Values:
    """Return a strategy for the arguments of a tool.

    Args:
        schema: Its input schema.
        site: The address of a site with the paths of this module.
    """
    return _objects(schema, site)


def _values(name: str, schema: Schema, site: str) -> Values:
    valid = _valid_values(name, schema, site)
    # One in sixteen is wrong, so that most calls come through the check of their arguments.
    return st.integers(0, 15).flatmap(lambda number: _odd if number == 0 else valid)


def _valid_values(name: str, schema: Schema, site: str) -> Values:
    if "anyOf" in schema:
        return st.one_of(*(_valid_values(name, each, site) for each in schema["anyOf"]))
    if "enum" in schema:
        return st.sampled_from(schema["enum"])
    match schema.get("type"):
        case "string":
            return _strings(name, site)
        case "integer" | "number" as kind:
            return _numbers(name, schema, is_integer=kind == "integer")
        case "boolean":
            return st.booleans()
        case "array":
            return st.lists(_values(name, schema.get("items", {}), site), max_size=3)
        case "object":
            return _objects(schema, site)
    return _odd


def _strings(name: str, site: str) -> Values:
    if "url" in name.lower():
        return st.sampled_from([*(site + path for path in _PATHS), *_URLS])
    return st.sampled_from(_BY_NAME.get(name, _TEXTS))


def _numbers(name: str, schema: Schema, *, is_integer: bool) -> Values:
    low = schema.get("minimum", schema.get("exclusiveMinimum", -(10**9)))
    high = schema.get("maximum", 10**9)
    if name in _WAITS:
        high = 0.05
    small = st.integers(0, 20) if is_integer else st.floats(0, 20)
    limits = st.sampled_from([low, high, 0, 1])
    return (limits if high < 1 else small | limits).map(lambda n: int(n) if is_integer else n)


@st.composite
def _objects(draw: st.DrawFn, schema: Schema, site: str) -> dict[str, Any]:
    properties: Mapping[str, Schema] = schema.get("properties", {})
    required = schema.get("required", ())
    given: dict[str, Any] = {}
    for name, each in properties.items():
        is_usual = name in required or name in _WAITS
        if draw(st.integers(0, 15)) < (15 if is_usual else 5):
            given[name] = draw(_values(name, each, site))
    if isinstance(schema.get("additionalProperties"), Mapping):
        names = st.sampled_from(_TEXTS)
        more = st.dictionaries(names, _values("", schema["additionalProperties"], site), max_size=2)
        given |= draw(more)
    elif draw(st.integers(0, 30)) == 0:
        given[draw(st.sampled_from(_TEXTS))] = draw(_odd)
    return copy.deepcopy(given)
