"""mypy and pyright accept correct calls and report each mistake: the marked lines, and no others.

The marks are `# type: ignore[...]` with mypy's codes, which `make types` reads as well. Here the
files are checked without them.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.prove.typing.checkers import Place, marked, mypy, pyright, unmarked

Checker = Callable[[Path], dict[Place, str]]


@pytest.mark.parametrize("checker", [mypy, pyright])
def test_a_checker_reports_the_marked_lines_and_no_other(checker: Checker, tmp_path: Path) -> None:
    mistakes = marked()
    assert len(mistakes) >= 39

    reported = checker(unmarked(tmp_path))

    assert mistakes - reported.keys() == set(), "mistakes that it does not find"
    assert {place: reported[place] for place in reported.keys() - mistakes} == {}
