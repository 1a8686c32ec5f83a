"""The prose check finds forbidden words and misspellings, and ignores code."""

from __future__ import annotations

from pathlib import Path

import pytest

from scripts import check_prose
from scripts.check_prose import find_forbidden, find_misspellings, forbidden_words, passages_of

GLOSSARY = """\
| write | do not write |
|---|---|
| report | `lorem`, `Whoever`, let |
"""
MISSPELLED = "recieve"  # codespell:ignore


@pytest.fixture
def complaints(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The complaints about a file of each kind."""
    monkeypatch.setattr(check_prose, "ROOT", tmp_path)
    files = {
        "page.md": f"# Page\n\nThe client\nis lorem.\n\n`lorem`\n\n    lorem\n\n{MISSPELLED}.\n",
        "viewpoint_mcp/module.py": (
            f'"""A docstring\n\nthat {MISSPELLED}s."""\ntold = "let", "Nobody is lorem"\n'
        ),
        "tests/test_module.py": (
            "def test_whoever_is_let_in():\n    x = 'it was lorem'  # Was lorem, `lorem`\n"
        ),
        "module.js": "// The first\n// lorem line\nlet lorem = 1; // lorem\n",
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    passages = [passage for name in files for passage in passages_of(Path(name))]
    return [*find_forbidden(passages, forbidden_words(GLOSSARY)), *find_misspellings(passages)]


def test_each_forbidden_word_is_reported_with_its_line(complaints: list[str]) -> None:
    assert [line for line in complaints if "forbidden" in line] == [
        'page.md:4: "lorem" is forbidden. Write: report',
        'viewpoint_mcp/module.py:4: "lorem" is forbidden. Write: report',
        'tests/test_module.py:2: "lorem" is forbidden. Write: report',
        'tests/test_module.py:1: "Whoever" is forbidden. Write: report',
        'module.js:2: "lorem" is forbidden. Write: report',
        'module.js:3: "lorem" is forbidden. Write: report',
    ]


def test_each_misspelling_is_reported_with_its_line(complaints: list[str]) -> None:
    misspelled = [line.split(": ")[0] for line in complaints if "forbidden" not in line]
    assert misspelled == ["page.md:10", "viewpoint_mcp/module.py:3"]
