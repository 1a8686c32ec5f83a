"""The modules of the isolated world are bundled into one scope, in the order of evaluation."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest

from viewpoint_mcp import inpage
from viewpoint_mcp.inpage.bundle import read_modules

HERE = Path(inpage.__file__).parent

_DECLARED = re.compile(
    r"^(?:export )?(?:async )?(?:function\*? (\w+)|(?:const|let) (?:(\w+) =|\{([^}]*)\} =))",
    re.MULTILINE,
)


def top_level_names(source: str) -> list[str]:
    """Return the names at the top level of a script."""
    names = []
    for function, variable, several in _DECLARED.findall(source):
        names += [part.split(":")[-1].strip() for part in several.split(",") if part.strip()]
        names += filter(None, [function, variable])
    return names


def test_no_two_modules_declare_the_same_name() -> None:
    counts = Counter(name for source in read_modules().values() for name in top_level_names(source))
    assert len(counts) > 300
    assert [name for name, count in counts.items() if count > 1] == []


def test_every_module_is_in_the_bundle() -> None:
    assert set(read_modules()) == {
        path.relative_to(HERE).as_posix() for path in HERE.rglob("*.js") if path.is_file()
    }


def test_a_module_comes_after_its_imports_and_the_entry_comes_last() -> None:
    order = list(read_modules())
    assert order[-1] == "api.js"
    assert order.index("dom/dom.js") < order.index("aria/roles.js") < order.index("aria/names.js")


def test_no_statement_of_a_module_is_left_in_the_bundle() -> None:
    assert re.findall(r"^(?:import|export)\b.*", inpage.build_bundle(), re.MULTILINE) == []


def test_only_comments_of_types_are_missing_in_the_bundle() -> None:
    assert "@param" not in inpage.build_bundle()
    lines = iter(line for text in read_modules().values() for line in text.split("\n"))
    for sent in inpage.build_bundle().split("\n")[1:-2]:
        for line in lines:
            if line.removeprefix("export ") == sent:
                break
            assert line.lstrip().startswith(("/**", "*"))
        else:
            pytest.fail(f"in no module: {sent}")
