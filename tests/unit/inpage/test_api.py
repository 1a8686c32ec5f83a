"""The API of the in-page scripts for Python has declared types."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from viewpoint_mcp import inpage

HERE = Path(inpage.__file__).parent
API = (HERE / "api.js").read_text(encoding="utf-8")
TEST_SUPPORT = (HERE / "test_support.js").read_text(encoding="utf-8")

_IMPORT = re.compile(r'^import \{([^}]*)\} from "\./(.*)";$', re.MULTILINE)
_OFFERED = re.search(r"export const api = \{([^}]*)\}", API)
_ADDED = re.search(r"Object.assign\(api, \{([^}]*)\}\)", TEST_SUPPORT)


def module_of() -> dict[str, str]:
    """Return the module of each function that `api.js` or `test_support.js` imports."""
    imports = _IMPORT.findall(API + TEST_SUPPORT.replace('import { api } from "./api.js";', ""))
    return {name.strip(): path for names, path in imports for name in names.split(",")}


def offered() -> list[str]:
    """Return the functions that Python may call."""
    assert _OFFERED is not None
    assert _ADDED is not None
    return re.findall(r"\w+", _OFFERED[1] + _ADDED[1])


def test_the_api_exports_everything_that_it_imports() -> None:
    assert sorted(offered()) == sorted(module_of())
    assert len(offered()) > 50


@pytest.mark.parametrize("name", sorted(offered()))
def test_a_function_that_python_calls_declares_its_arguments_and_its_result(name: str) -> None:
    text = (HERE / module_of()[name]).read_text(encoding="utf-8")
    jsdoc = r"(/\*\*(?:[^*]|\*(?!/))*\*/)\n"
    declaration = (
        rf"export (?:(?:async )?function {name}|const {name} = (?:async )?)\((.*?)\)(?: \{{| =>)"
    )
    found = re.search(jsdoc + declaration, text)
    assert found is not None
    types, parameters = found[1], re.sub(r"\{[^}]*\}", "{}", found[2])
    assert "@returns {" in types
    assert types.count("@param {") == len([each for each in parameters.split(",") if each])
