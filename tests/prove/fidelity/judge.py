"""Compares the walker's report of an element with that of Chrome's accessibility tree.

It needs no browser. Each element is one record, also if only one side has it. `verdict` says
whether the two agree, are excused (see `equivalences`), or how they differ.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final

from tests.prove.fidelity.element_report import ElementReport
from tests.prove.fidelity.equivalences import SAME_ROLE, excuse_for
from tests.prove.fidelity.states import STATES, differences

LONGEST_NAME: Final = 1000
"""How much of a name is compared."""

INTERACTIVE: Final = frozenset(
    "button link textbox searchbox checkbox radio combobox listbox option slider spinbutton switch"
    " menuitem menuitemcheckbox menuitemradio tab treeitem scrollbar".split()
)

CLASSES: Final[Mapping[str, frozenset[str]]] = {
    "interactive elements": INTERACTIVE,
    "headings": frozenset({"heading"}),
    "images": frozenset({"img", "graphics-symbol"}),
    "landmarks": frozenset(
        "banner complementary contentinfo form main navigation region search".split()
    ),
    "lists": frozenset("list listitem term definition".split()),
    "tables": frozenset(
        "table grid treegrid row rowgroup cell gridcell columnheader rowheader".split()
    ),
}
"""Role classes, by the walker's names of roles. An element counts in the class of either side."""

STATEFUL: Final = INTERACTIVE | {"heading", "progressbar", "meter"}
"""Roles whose states are compared."""

ALL_PRINTED: Final = "all printed elements"


@dataclass(frozen=True, slots=True)
class Judged:
    """One element and the reports of both sides.

    Attributes:
        element: Its start tag, shortened.
        ours: The printed element; its role is "" if the element is not printed.
        chrome: The element in Chrome's tree, with the walker's names of roles; "" if Chrome
        ignores
            it.
    """

    page: str
    element: str
    ours: ElementReport
    chrome: ElementReport

    @property
    def excuse(self) -> str:
        """The rule that excuses the difference, "" for none."""
        return "" if self.agrees else excuse_for(self.ours, self.chrome, self.element)

    @property
    def agrees(self) -> bool:
        """Whether role and name are the same."""
        return self.ours.role == self.chrome.role and self.ours.name == self.chrome.name

    @property
    def kind(self) -> str:
        """The kind of the difference, by role. Similar differences have the same kind."""
        ours, chrome = self.ours, self.chrome
        if not ours.role:
            return f"{chrome.role} is not printed"
        if not chrome.role:
            return f"{ours.role} is ignored by Chrome"
        if ours.role != chrome.role:
            return f"role {ours.role}, Chrome's {chrome.role}"
        return f"name of {ours.role}"

    @property
    def states(self) -> list[str]:
        """The states that differ; [] too where the roles do."""
        if self.ours.role != self.chrome.role or self.ours.role not in STATEFUL:
            return []
        return list(differences(self.ours, self.chrome, self.element))

    @property
    def classes(self) -> list[str]:
        """The classes it counts in."""
        roles = {self.ours.role, self.chrome.role}
        found = [name for name, members in CLASSES.items() if members & roles]
        return [*found, ALL_PRINTED] if self.ours.role else found


@dataclass(slots=True)
class Figure:
    """The number of elements of a class that agree."""

    total: int = 0
    excused: int = 0
    differ: int = 0

    @property
    def percent(self) -> float:
        """Agreement in percent; excused differences count as agreement."""
        return 100.0 if not self.total else 100.0 * (self.total - self.differ) / self.total


def figures(judged: list[Judged]) -> dict[str, Figure]:
    """Count agreement by class."""
    found = {name: Figure() for name in (*CLASSES, ALL_PRINTED, STATES)}
    for each in judged:
        excuse = each.excuse
        if each.ours.role == each.chrome.role and each.ours.role in STATEFUL:
            found[STATES].total += 1
            found[STATES].differ += bool(each.states)
        for name in each.classes:
            figure = found[name]
            figure.total += 1
            figure.excused += bool(excuse)
            figure.differ += not each.agrees and not excuse
    return found


def compare(
    page: str,
    elements: Mapping[int, str],
    ours: Mapping[int, ElementReport],
    chrome: Mapping[int, ElementReport],
) -> list[Judged]:
    """Pair the two sides by backend node id.

    Args:
        page: Name of the page, for the report.
        elements: The start tag of each element in the page's source. Elements inside Chrome's
        own
            controls are not in it and not judged.
        ours: The printed elements.
        chrome: The elements in Chrome's tree.
    """
    nothing = ElementReport("")
    judged = []
    for node, element in elements.items():
        mine, theirs = ours.get(node, nothing), canonical(chrome.get(node, nothing))
        mine = replace(mine, name=mine.name[:LONGEST_NAME])
        if mine.role or any(theirs.role in members for members in CLASSES.values()):
            judged.append(Judged(page, element, mine, theirs))
    return judged


def canonical(report: ElementReport) -> ElementReport:
    """Chrome's answer with the walker's names for roles, and its length of names."""
    role = SAME_ROLE.get(report.role, report.role)
    if report.role == "SvgRoot" and report.name:
        role = "img"  # Chrome has no role for a drawing that it reads part by part
    return replace(report, role=role, name=report.name[:LONGEST_NAME])
