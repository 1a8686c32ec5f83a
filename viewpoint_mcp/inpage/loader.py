"""Bundles the ES modules of the isolated world into the expression that is evaluated in a document.

An expression cannot import. So the modules are joined in the order in which a browser would
evaluate them, each after those that it imports, in the scope of one function. That works as long as
no two modules declare the same name, which a test proves.
"""

from __future__ import annotations

import posixpath
import re
from functools import cache
from importlib.resources import files

_ENTRY = "api.js"
_FROM = re.compile(r'"([^"]+)";$', re.MULTILINE)
_TYPES = re.compile(r"^ */\*\*(?:[^*]|\*(?!/))*\*/\n", re.MULTILINE)

KEPT = "globalThis.viewpointApi"
"""Where the isolated world of a document keeps its API object (see `api.js`)."""


@cache
def source() -> str:
    """Return the script that makes the API object of an isolated world, and keeps it there.

    The modules are parts of one strict function, so that none of their names becomes a global.
    """
    parts = [_executable(text) for text in modules().values()]
    return "\n".join([f'{KEPT} = (() => {{ "use strict";', *parts, "return api;\n})()"])


def source_at_start() -> str:
    """Return the same for each new document, before its own first script; frames within a page go
    without until they are looked at.
    """
    return f"if (window === window.top) {source()}"


def modules() -> dict[str, str]:
    """Return the text of each module without its imports, by its path below this folder, in the
    order of evaluation.
    """
    seen: set[str] = set()
    order: dict[str, str] = {}

    def visit(path: str) -> None:
        seen.add(path)
        text = files(__package__).joinpath(path).read_text(encoding="utf-8")
        imports, rest = _divide(text)
        for imported in _FROM.findall(imports):
            inner = posixpath.normpath(posixpath.join(posixpath.dirname(path), imported))
            if inner not in seen:
                visit(inner)
        order[path] = rest

    visit(_ENTRY)
    return order


def _divide(text: str) -> tuple[str, str]:
    """Return the import statements of a module, which follow each other, and the rest of it."""
    start = text.find("\nimport ") + 1
    if start == 0:
        return "", text
    end = text.index(";\n", text.rindex("\nimport ")) + len(";\n")
    return text[start:end], text[:start] + text[end:]


def _executable(text: str) -> str:
    """Return a module without its exports, and without the JSDoc comments that have lines of their
    own: the browser has no use for types, and each new document is sent the bundle.
    """
    return _TYPES.sub("", text).replace("\nexport ", "\n")
