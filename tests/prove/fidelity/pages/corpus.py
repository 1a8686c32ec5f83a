"""The pages that both trees are compared on."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from tests.prove.fidelity.pages.generated import generated_pages
from tests.prove.fidelity.pages.packages import package_pages
from tests.prove.fidelity.pages.page import CorpusPage

COMMITTED: Final = Path(__file__).resolve().parents[3] / "pages"


def committed_pages() -> Iterator[CorpusPage]:
    """Yield the pages of tests/pages, each about one family of rules."""
    for path in sorted(COMMITTED.glob("*.html")):
        yield CorpusPage("committed", path.stem, html=path.read_text(encoding="utf-8"))


@contextmanager
def corpus() -> Iterator[list[CorpusPage]]:
    """Serve all pages and yield them.

    Raises:
        CorpusMissing: The packages were not fetched.
    """
    with package_pages() as from_packages:
        yield [*committed_pages(), *generated_pages(), *from_packages]
