"""Ten configurations of playwright-mcp start unchanged, and have the same effects."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.code_blocks import ROOT
from tests.prove.dropin.comparing import compare
from tests.prove.dropin.configurations import NAMES
from tests.prove.dropin.expected import EFFECTS, EXPECTED, list_expected

LEAST_COUNT = 70  # outcomes of a session
PAGES = [
    (ROOT / "docs" / name).read_text(encoding="utf-8") for name in ("migration.md", "comparison.md")
]

pytestmark = [pytest.mark.prove, pytest.mark.time_limit(150)]


@pytest.mark.parametrize("name", NAMES)
async def test_a_configuration_has_the_same_effects_with_both_servers(
    name: str, tmp_path: Path, chromium: str
) -> None:
    comparison = await compare(name, tmp_path, chromium)
    assert len(comparison.peer) >= LEAST_COUNT
    assert comparison.unexpected == {}
    assert comparison.outdated == set()
    effects = EFFECTS[name]
    assert {effect: comparison.ours[effect] for effect in effects} == effects


@pytest.mark.parametrize("name", NAMES)
def test_the_documentation_explains_each_expected_difference(name: str) -> None:
    texts = list_expected(name).values()
    assert [text for text in texts if not any(text in page for page in PAGES)] == []


def test_each_configuration_has_its_expected_differences() -> None:
    assert len(NAMES) >= 10
    assert set(EXPECTED) == set(EFFECTS) == set(NAMES)
