"""Bundles the ES modules of the isolated world into one expression, to be evaluated in a document.

An expression cannot import modules. The bundle therefore joins them in the scope of one function,
in the order in which a browser would evaluate them: imported modules first. No two modules may
declare the same name; a test checks this.
"""

from __future__ import annotations

import json
import posixpath
import re
from functools import cache
from importlib.resources import files

_ENTRY_MODULE = "api.js"
_ENTRY_MODULE_FOR_TESTS = "test_support.js"
_IMPORT_PATH = re.compile(r'"([^"]+)";$', re.MULTILINE)
_COMMENT_OR_EXPORT = re.compile(
    r"^(?: *(?:/\*\*(?:[^*]|\*(?!/))*\*/|//.*)\n)|^export ", re.MULTILINE
)
_BEYOND_ASCII = re.compile(r"[^\x00-\x7f]")

API_VARIABLE = "globalThis.viewpointApi"
"""The global variable of an isolated world that holds the API object; see `api.js`."""


@cache
def build_bundle(*, has_test_support: bool = False) -> str:
    """Return the script that creates the API object of an isolated world, in `API_VARIABLE`.

    All modules run in one strict function, so that none of their names becomes a global.
    Characters beyond ASCII are escaped: a single one would make Chromium keep two bytes for each
    character of the script, and make each navigation 2 ms longer.

    Args:
        has_test_support: Whether the API has the functions for tests.
    """
    modules = read_modules(has_test_support=has_test_support)
    parts = [_strip_exports_and_comments(text) for text in modules.values()]
    bundle = "\n".join([f'{API_VARIABLE} = (() => {{ "use strict";', *parts, "return api;\n})()"])
    return _BEYOND_ASCII.sub(lambda character: json.dumps(character[0])[1:-1], bundle)


def build_document_start_script(*, has_test_support: bool = False) -> str:
    """Return the script that Chromium runs in each new document, before the page's first script.

    It does nothing in child frames. They get the API object when a tool first needs it.

    Args:
        has_test_support: As for `build_bundle`.
    """
    return f"if (window === window.top) {build_bundle(has_test_support=has_test_support)}"


def read_modules(*, has_test_support: bool = False) -> dict[str, str]:
    """Return the text of each module without its imports, by path, in the order of evaluation.

    The paths are relative to this folder.

    Args:
        has_test_support: Whether to include the modules for tests.
    """
    visited: set[str] = set()
    order: dict[str, str] = {}

    def visit(path: str) -> None:
        visited.add(path)
        text = files(__package__).joinpath(path).read_text(encoding="utf-8")
        imports, rest = _split_imports(text)
        for imported in _IMPORT_PATH.findall(imports):
            imported_path = posixpath.normpath(posixpath.join(posixpath.dirname(path), imported))
            if imported_path not in visited:
                visit(imported_path)
        order[path] = rest

    visit(_ENTRY_MODULE_FOR_TESTS if has_test_support else _ENTRY_MODULE)
    return order


def _split_imports(text: str) -> tuple[str, str]:
    """Return the import statements of a module, which must be contiguous, and the rest of it."""
    start = text.find("\nimport ") + 1
    if start == 0:
        return "", text
    end = text.index(";\n", text.rindex("\nimport ")) + len(";\n")
    return text[start:end], text[:start] + text[end:]


def _strip_exports_and_comments(text: str) -> str:
    """Return a module without its `export` keywords and without comments on separate lines.

    Each new document reads the bundle again. The comments would take a quarter of that time.
    """
    return _COMMENT_OR_EXPORT.sub("", text)
