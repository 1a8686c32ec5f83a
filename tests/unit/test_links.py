"""Every link between the documents leads to a file, and to a heading of it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.code_blocks import DOCUMENTS, ROOT, Document

_LINK = re.compile(r"\]\(([^)\s]+)\)")
_HEADING = re.compile(r"^#+ (.*)$", re.MULTILINE)


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_each_link_has_a_target(document: Path) -> None:
    assert [link for link in _links(document) if not _exists(document, link)] == []


def _links(document: Path) -> Iterator[str]:
    for link in _LINK.findall(Document(document).prose):
        if "://" not in link:
            yield link


def _exists(document: Path, link: str) -> bool:
    path, _, heading = link.partition("#")
    target = document.parent / path if path else document
    if not heading or not target.exists():
        return target.exists()
    return heading in map(_anchor, _HEADING.findall(target.read_text(encoding="utf-8")))


def _anchor(heading: str) -> str:
    """Return the anchor that GitHub gives to a heading."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).strip().replace(" ", "-")
