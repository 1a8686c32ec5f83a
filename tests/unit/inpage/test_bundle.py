"""The modules of the isolated world are bundled into one scope, in the order of evaluation."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest

from viewpoint_mcp import inpage
from viewpoint_mcp.inpage.bundle import build_bundle, read_modules

HERE = Path(inpage.__file__).parent
ALL = read_modules(has_test_support=True)
BUNDLE = build_bundle(has_test_support=True)

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
    counts = Counter(name for source in ALL.values() for name in top_level_names(source))
    assert len(counts) > 300
    assert [name for name, count in counts.items() if count > 1] == []


def test_every_module_is_in_the_bundle() -> None:
    assert set(ALL) == {
        path.relative_to(HERE).as_posix() for path in HERE.rglob("*.js") if path.is_file()
    }


def test_a_module_comes_after_its_imports_and_the_entry_comes_last() -> None:
    order = list(ALL)
    assert order[-1] == "test_support.js"
    assert list(read_modules())[-1] == "api.js"
    assert order.index("dom/dom.js") < order.index("aria/roles.js") < order.index("aria/names.js")


def test_no_statement_of_a_module_is_left_in_the_bundle() -> None:
    assert re.findall(r"^(?:import|export)\b.*", BUNDLE, re.MULTILINE) == []


def unescape(source: str) -> str:
    """Return a script with the characters for which it has an escape."""
    return re.sub(r"\\u([0-9a-f]{4})", lambda escape: chr(int(escape[1], 16)), source)


def test_only_comments_are_missing_in_the_bundle() -> None:
    assert "@param" not in BUNDLE
    lines = iter(line for text in ALL.values() for line in unescape(text).split("\n"))
    for sent in unescape(BUNDLE).split("\n")[1:-2]:
        for line in lines:
            if line.removeprefix("export ") == sent:
                break
            assert line.lstrip().startswith(("/**", "*", "//"))
        else:
            pytest.fail(f"in no module: {sent}")


def test_the_bundle_has_one_byte_for_each_character() -> None:
    assert not "".join(ALL.values()).isascii()
    assert BUNDLE.isascii()


def test_the_modules_for_tests_are_sent_only_where_tests_are_written() -> None:
    added = set(ALL) - set(read_modules())
    assert "test_support.js" in added
    assert all(path == "test_support.js" or path.startswith("locators/") for path in added)
    assert "generateLocator" not in inpage.build_bundle()
