"""The figures of a run in words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from tests.prove.fidelity.judge import Judged, figures
from tests.prove.fidelity.run import Outcome


def report(outcome: Outcome, *, every: bool = False) -> Iterator[str]:
    """Yield the lines to print.

    Args:
        every: Print each single disagreement with its page.
    """
    judged = [each for part in outcome.judged.values() for each in part]
    for part, records in [*sorted(outcome.judged.items()), ("together", judged)]:
        pages = outcome.pages[part] if part in outcome.pages else outcome.pages.total()
        yield f"\n{part}: {pages} pages"
        yield from _table(records)
    if outcome.restless:
        yield f"\nNot judged, never still: {', '.join(outcome.restless)}"
    yield "\nDisagreements by kind:"
    yield from _kinds([each for each in judged if not each.agrees and not each.excuse], every)
    yield "\nStates that differ:"
    yield from _states(judged, every)
    yield "\nExcused:"
    for excuse, count in Counter(each.excuse for each in judged if each.excuse).most_common():
        yield f"{count:7}  {excuse}"


def _table(records: Sequence[Judged]) -> Iterator[str]:
    for name, figure in figures(list(records)).items():
        yield (
            f"  {name:22} {figure.percent:7.2f} %  of {figure.total:6},"
            f" {figure.differ:4} differ, {figure.excused:4} excused"
        )


def _kinds(records: Sequence[Judged], every: bool) -> Iterator[str]:
    by_kind: dict[str, list[Judged]] = {}
    for each in records:
        by_kind.setdefault(each.kind, []).append(each)
    for kind, found in sorted(by_kind.items(), key=lambda item: -len(item[1])):
        yield f"{len(found):7}  {kind}"
        for each in found if every else found[:1]:
            yield f"           {each.page}: {each.element}"
            ours, chrome = each.ours, each.chrome
            yield f"           {ours.role} {ours.name!r}, Chrome: {chrome.role} {chrome.name!r}"


def _states(records: Sequence[Judged], every: bool) -> Iterator[str]:
    by_kind: dict[str, list[Judged]] = {}
    for each in records:
        for state in each.states:
            by_kind.setdefault(f"{each.ours.role} {state}", []).append(each)
    for kind, found in sorted(by_kind.items(), key=lambda item: -len(item[1])):
        yield f"{len(found):7}  {kind}"
        for each in found if every else found[:1]:
            yield f"           {each.page}: {each.element}"
