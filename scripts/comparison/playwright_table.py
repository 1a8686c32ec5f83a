"""The comparison with playwright-mcp: one row for each of its tools."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any, Final, Literal

from scripts.comparison.differences import Difference, compare_objects
from scripts.comparison.peers import PLAYWRIGHT_REASONS, Peer, PeerTool, Reasons
from viewpoint_mcp.tools.core.args import ARGUMENT_ALIASES
from viewpoint_mcp.tools.core.tool import ANNOTATIONS, Tool

Tools = Mapping[str, Tool[Any]]
Verdict = Literal["same", "differs", "absent"]

_ABSENT: Final = "absent"
_BEHAVIOR: Final = "behavior"
# The page explains `context` once. `element` is accepted everywhere, and selects nothing.
_UNEXPLAINED: Final = frozenset({"context", "element"})


@dataclass(frozen=True, slots=True)
class Row:
    """A row of the table.

    Args:
        accepts_all: Whether this project's tool accepts each call that the peer's tool accepts.
    """

    tool: str
    capability: str
    verdict: Verdict
    text: str
    accepts_all: bool


def compare_tools(
    peer: Peer, ours: Tools, reasons: Mapping[str, Reasons]
) -> tuple[list[Row], list[str]]:
    """Compare the tools with those of playwright-mcp.

    Returns:
        The rows, and the mistakes: forbidden differences, and missing or superfluous reasons.
    """
    rows: list[Row] = []
    mistakes: list[str] = []
    for name, tool in peer.tools.items():
        why = reasons.get(name, {})
        if name not in ours:
            mistakes += _check_absent(name, why)
            rows.append(Row(name, tool.capability, "absent", why.get(_ABSENT, ""), False))
            continue
        differences = _list_differences(tool, ours[name])
        mistakes += _check_reasons(name, differences, why)
        text = " ".join(_explain(differences, why))
        accepts_all = not any(each.is_narrower for each in differences)
        rows.append(Row(name, tool.capability, "differs" if text else "same", text, accepts_all))
    mistakes += [
        f"{PLAYWRIGHT_REASONS.name}: playwright-mcp has no tool {name}. Remove its table."
        for name in reasons.keys() - peer.tools.keys()
    ]
    return rows, mistakes


def list_added_tools(peer: Peer, ours: Tools) -> list[Tool[Any]]:
    """Return the tools that playwright-mcp does not have."""
    return [tool for name, tool in ours.items() if name not in peer.tools]


def _list_differences(peer: PeerTool, ours: Tool[Any]) -> list[Difference]:
    differences = [
        each
        for each in compare_objects(peer.input_schema, ours.input_schema, ARGUMENT_ALIASES)
        if not (each.is_added and each.argument in _UNEXPLAINED)
    ]
    if peer.capability != ours.capability:
        text = f"in the capability {ours.capability}, not {peer.capability}"
        differences.append(Difference("capability", text, is_forbidden=True))
    is_read_only = ANNOTATIONS[ours.kind].get("readOnlyHint", False)
    if peer.read_only and not is_read_only:
        differences.append(Difference("readOnlyHint", "false here"))
    return differences


def _check_absent(name: str, reasons: Reasons) -> Iterator[str]:
    if _ABSENT not in reasons:
        yield f'{PLAYWRIGHT_REASONS.name}: {name} is absent. Add `absent = "..."` with the reason.'
    for key in reasons.keys() - {_ABSENT}:
        yield f"{PLAYWRIGHT_REASONS.name}: {name} is absent. Remove its line `{key}`."


def _check_reasons(name: str, differences: Sequence[Difference], reasons: Reasons) -> Iterator[str]:
    if _ABSENT in reasons:
        yield f"{PLAYWRIGHT_REASONS.name}: {name} exists now. Remove its line `absent`."
    explained = {
        argument
        for key in reasons.keys() - {_ABSENT, _BEHAVIOR}
        for argument in _arguments_of_key(key)
    }
    for argument, group in groupby(differences, lambda each: each.argument):
        same_argument = list(group)
        text = ", ".join(each.text for each in same_argument)
        if any(each.is_forbidden for each in same_argument):
            yield f"{name}: `{argument}` is {text}. Calls of playwright-mcp must work."
        elif argument not in explained and not any(each.is_added for each in same_argument):
            key = argument if argument.isalnum() else f'"{argument}"'
            yield (
                f"{PLAYWRIGHT_REASONS.name}: `{argument}` of {name} differs ({text}). "
                f'Add `{key} = "..."` with the reason to [{name}].'
            )
    found = {each.argument for each in differences if not each.is_added}
    for argument in sorted(explained - found):
        yield (
            f"{PLAYWRIGHT_REASONS.name}: `{argument}` of {name} does not differ. Remove its reason."
        )


def _explain(differences: Sequence[Difference], reasons: Reasons) -> Iterator[str]:
    """Yield the sentences of a row: the differences with their reasons, then what is added."""
    for key, reason in reasons.items():
        if key in {_ABSENT, _BEHAVIOR}:
            continue
        arguments = _arguments_of_key(key)
        texts = [each.text for each in differences if each.argument == arguments[0]]
        names = ", ".join(f"`{argument}`" for argument in arguments)
        yield f"{names}: {', '.join(texts)}. {reason}"
    if _BEHAVIOR in reasons:
        yield reasons[_BEHAVIOR]
    added = [each.argument for each in differences if each.is_added]
    if added:
        yield f"Added: {', '.join(f'`{argument}`' for argument in added)}."


def _arguments_of_key(key: str) -> list[str]:
    return key.split(", ")
