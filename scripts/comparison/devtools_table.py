"""The comparison with chrome-devtools-mcp: one row for each of its default tools."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from scripts.comparison.differences import compare_values
from scripts.comparison.peers import DEVTOOLS_REASONS, Equivalent, Peer
from scripts.comparison.playwright_table import Row, Tools, Verdict

_FILE = DEVTOOLS_REASONS.name
SHARED = "any"
_TOOL_NAME = re.compile(r"`(browser_\w+)`")


def compare_tools(
    peer: Peer, ours: Tools, equivalents: Mapping[str, Equivalent]
) -> tuple[list[Row], list[str]]:
    """Compare the tools with those of chrome-devtools-mcp.

    Returns:
        The rows, and the mistakes: missing, superfluous and wrong entries.
    """
    shared = equivalents.get(SHARED, Equivalent()).differs
    rows: list[Row] = []
    mistakes: list[str] = []
    used: set[str] = set()
    for name, tool in peer.tools.items():
        properties = tool.input_schema["properties"]
        entry = equivalents.get(name, Equivalent())
        general = {
            argument: reason
            for argument, reason in shared.items()
            if entry.ours and argument in properties.keys() - {*entry.same, *entry.differs}
        }
        used |= general.keys()
        mistakes += _check_entry(name, properties, entry, {**general, **entry.differs}, ours)
        rows.append(_make_row(name, entry, general, ours))
    known = {*peer.tools, SHARED}
    mistakes += [
        f"{_FILE}: chrome-devtools-mcp has no default tool {name}. Remove its table."
        for name in equivalents.keys() - known
    ]
    mistakes += [
        f"{_FILE}: no tool has the argument {argument} of [{SHARED}.differs]. Remove it."
        for argument in shared.keys() - used
    ]
    return rows, mistakes


def _make_row(name: str, entry: Equivalent, shared: Iterable[str], ours: Tools) -> Row:
    """Return the row of a tool.

    Args:
        shared: The arguments for which the reasons are above the table.
    """
    if not entry.ours:
        return Row(name, "", "absent", entry.absent, False)
    renamed = ", ".join(
        f"`{argument}` is `{target}`"
        for argument, target in entry.same.items()
        if argument != target.rpartition(".")[2]
    )
    as_above = ", ".join(f"`{argument}`" for argument in shared)
    sentences = [
        ", ".join(_link(tool, ours) for tool in entry.ours) + ".",
        f"{renamed}." if renamed else "",
        entry.note,
        *(f"`{argument}`: {reason}" for argument, reason in entry.differs.items()),
        f"As above: {as_above}." if as_above else "",
    ]
    differs = bool(entry.differs or as_above)
    verdict: Verdict = "differs" if differs or entry.note else "same"
    return Row(name, "", verdict, " ".join(filter(None, sentences)), not differs)


def _link(name: str, ours: Tools) -> str:
    """Return a link to a tool, with the flag that it needs."""
    capability = ours[name].capability if name in ours else "core"
    link = f"[`{name}`](tools.md#{name})"
    return link if capability == "core" else f"{link} (`--caps {capability}`)"


def _check_entry(
    name: str,
    properties: Mapping[str, Any],
    entry: Equivalent,
    differs: Mapping[str, str],
    ours: Tools,
) -> Iterator[str]:
    if bool(entry.ours) == bool(entry.absent):
        yield (
            f'{_FILE}: give [{name}] either `ours = ["browser_..."]`, the tools that do the same, '
            'or `absent = "..."`, the reason why none does.'
        )
        return
    text = " ".join((entry.absent, entry.note, *differs.values()))
    for tool in sorted({*entry.ours, *_TOOL_NAME.findall(text)} - ours.keys()):
        yield f"{_FILE}: [{name}] names {tool}, which is no tool."
    if not entry.ours:
        return
    for argument in properties.keys() - entry.same.keys() - differs.keys():
        yield (
            f"{_FILE}: add the argument {argument} of {name} to `same`, or to `differs` with the "
            "reason."
        )
    for argument in {*entry.same, *entry.differs} - properties.keys():
        yield f"{_FILE}: {name} has no argument {argument}. Remove it."
    for argument in entry.same.keys() & entry.differs.keys():
        yield f"{_FILE}: {argument} of {name} is both in `same` and in `differs`."
    for argument in entry.same.keys() & properties.keys():
        yield from _check_same(name, argument, properties[argument], entry, ours)


def _check_same(
    name: str, argument: str, schema: Mapping[str, Any], entry: Equivalent, ours: Tools
) -> Iterator[str]:
    """Yield a mistake if this project's argument is missing, or accepts less."""
    target = entry.same[argument]
    tool, _, ours_name = target.rpartition(".")
    tool = tool or entry.ours[0]
    found = ours[tool].input_schema["properties"].get(ours_name) if tool in ours else None
    if found is None:
        yield f"{_FILE}: [{name}] names the argument {ours_name} of {tool}, which does not exist."
        return
    for each in compare_values(schema, found, {}, argument):
        if each.is_narrower:
            yield (
                f"{_FILE}: {argument} of {name} is not the same as {ours_name} of {tool} "
                f"({each.text}). Move it to `differs`, with the reason."
            )
