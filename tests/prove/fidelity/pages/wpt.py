"""Counts how often the walker and Chrome meet the expectations of web-platform-tests.

Their pages have the expected name and role of an element in `data-expectedlabel` and
`data-expectedrole`. Both sides report on the same elements. The tests are not part of this project:
pass the path of a checkout.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from cdp_protocol import Connection
from tests.browser.walker.walked import Walked, spaced
from tests.prove.fidelity.element_report import ElementReport
from tests.prove.fidelity.judge import canonical
from tests.prove.fidelity.pages.packages import serve
from tests.prove.fidelity.referee import (
    attributes_of,
    author_nodes,
    chromes_tree,
    start_tag,
)
from tests.prove.fidelity.run import open_tab

EXPECTED: Final = (Path(__file__).parent / "expected.js").read_text(encoding="utf-8")
FOLDERS: Final = ("accname", "html-aam", "wai-aria")
LABEL: Final = "data-expectedlabel"
ROLE: Final = "data-expectedrole"
SYNONYMS: Final = {"img": "image", "": "generic", "none": "generic", "presentation": "generic"}


@dataclass(slots=True)
class Score:
    """The number of expectations, how many each side meets, and the missed ones."""

    total: int = 0
    ours: int = 0
    chrome: int = 0
    missed: list[str] = field(default_factory=list)

    def count(self, where: str, expected: str, ours: str, chrome: str) -> None:
        """Count one expectation with the answers of both sides."""
        self.total += 1
        self.ours += ours == expected
        self.chrome += chrome == expected
        if ours != expected:
            self.missed.append(f"{where}: {expected!r}, ours {ours!r}, Chrome's {chrome!r}")

    def __str__(self) -> str:
        if not self.total:
            return "none"
        ours, chrome = (100 * each / self.total for each in (self.ours, self.chrome))
        return f"of {self.total}, ours {ours:.1f} %, Chrome's {chrome:.1f} %"


async def judge_wpt(connection: Connection, checkout: Path) -> Iterator[str]:
    """Return the lines of the report on all pages of a checkout that expect something."""
    names, roles = Score(), Score()
    with serve(checkout, {}) as base:
        async with open_tab(connection, exposed=("roleOf", "nameOf")) as walked:
            for path in _pages(checkout):
                await walked.open(f"{base}/{path}")
                await _judge_page(walked, path, names, roles)
    return iter(
        [f"names: {names}", f"roles: {roles}", "\nNot met by ours:", *names.missed, *roles.missed]
    )


def _pages(checkout: Path) -> Iterator[str]:
    for folder in FOLDERS:
        for path in sorted((checkout / folder).rglob("*.html")):
            text = path.read_text(encoding="utf-8", errors="replace")
            if LABEL in text or ROLE in text:
                yield path.relative_to(checkout).as_posix()


async def _judge_page(walked: Walked, page: str, names: Score, roles: Score) -> None:
    nodes = await author_nodes(walked.session)
    chrome = await chromes_tree(walked.session)
    expecting = {
        node: element
        for node, element in nodes.items()
        if {LABEL, ROLE} & attributes_of(element).keys()
    }
    ours = [ElementReport(role, spaced(name)) for role, name in await walked.apply(EXPECTED)]
    for (node, element), mine in zip(expecting.items(), ours, strict=True):
        expected = attributes_of(element)
        theirs = canonical(chrome.get(node, ElementReport("")))
        where = f"{page}: {start_tag(element)}"
        if LABEL in expected:
            names.count(where, spaced(expected[LABEL]), mine.name, theirs.name)
        if ROLE in expected:
            roles.count(where, *map(_role, (expected[ROLE], mine.role, theirs.role)))


def _role(role: str) -> str:
    """Return "" for roles that are not reported: an element without a role and one that is not
    printed are equal.
    """
    return SYNONYMS.get(role, role)
