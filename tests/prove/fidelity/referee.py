"""Reads both trees of the shown document: the walker's, and Chrome's own."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from cdp_protocol import Session
from tests.browser.walker.walked import Walked, spaced
from tests.prove.fidelity.element_report import ElementReport
from tests.prove.fidelity.judge import INTERACTIVE, Judged, compare
from viewpoint_mcp.accessibility.tree import Node

NUMBERED = (Path(__file__).parent / "numbered.js").read_text(encoding="utf-8")
LONGEST_TAG = 160
TRIES = 5
NAMED_BY_PARTS = {"row", "cell", "gridcell", "columnheader", "rowheader", "listitem"}


class Restless(Exception):
    """A page changed at every look, so that two looks cannot be compared."""


async def judge(walked: Walked, page: str) -> list[Judged]:
    """Compare both trees of the shown document, element by element.

    Raises:
        Restless: The page keeps changing.
    """
    before = await printed_by_place(walked)
    for _ in range(TRIES):
        nodes, chrome = await asyncio.gather(
            author_nodes(walked.session), chromes_tree(walked.session)
        )
        after = await printed_by_place(walked)
        if after == before:
            numbers = list(nodes)
            ours = {numbers[index]: result for index, result in before if index >= 0}
            elements = {number: start_tag(node) for number, node in nodes.items()}
            return compare(page, elements, ours, _with_names_around(chrome, nodes, ours))
        before = after
    raise Restless(page)


def _with_names_around(
    chrome: Mapping[int, ElementReport],
    nodes: Mapping[int, Mapping[str, Any]],
    ours: Mapping[int, ElementReport],
) -> dict[int, ElementReport]:
    """Return Chrome's reports with the printed name of the nearest element around each."""
    parents = {
        child["backendNodeId"]: number
        for number, node in nodes.items()
        for scope in (node, *node.get("shadowRoots", []))
        for child in scope.get("children", [])
    }
    found = {}
    for number, report in chrome.items():
        around = parents.get(number)
        while around is not None and not (around in ours and ours[around].name):
            around = parents.get(around)
        found[number] = report if around is None else replace(report, around=ours[around].name)
    return found


async def printed_by_place(walked: Walked) -> list[tuple[int, ElementReport]]:
    """Return the printed elements, with each element's index in the order of `author_nodes`."""
    printed = {
        int(node.properties["ref"]): node
        for node in heard_nodes(await walked.walk(allRefs=True, hidden=True))
        if "ref" in node.properties
    }
    named = [
        (number, "" if node.role in NAMED_BY_PARTS else node.name)
        for number, node in printed.items()
    ]
    placed = await walked.apply(NUMBERED, named)
    return [
        (index, ElementReport(printed[number].role, spaced(name), printed[number].properties))
        for number, index, name in placed
    ]


def heard_nodes(nodes: list[Node]) -> Iterator[Node]:
    """Yield the nodes and all below them, except those marked [aria-hidden], which Chrome's tree
    does not have.
    """
    pending = list(nodes)
    while pending:
        node = pending.pop()
        if "aria-hidden" in node.properties:
            continue
        yield node
        pending.extend(child for child in node.children if isinstance(child, Node))


async def chromes_tree(session: Session) -> dict[int, ElementReport]:
    """Return Chrome's elements by backend node id, without those that it ignores.

    Source: CDP `Accessibility.getFullAXTree`.
    """
    nodes = (await session.Accessibility.getFullAXTree())["nodes"]
    mute = _mute(nodes)
    return {
        node["backendDOMNodeId"]: ElementReport(
            str(node["role"]["value"]),
            spaced(str(node.get("name", {}).get("value", ""))),
            states(node),
            is_mute=node["nodeId"] in mute,
        )
        for node in nodes
        if "backendDOMNodeId" in node and not node["ignored"] and "role" in node
    }


def _mute(nodes: Sequence[Mapping[str, Any]]) -> set[str]:
    """Return the nodes that have no text and contain nothing that has text or can be acted on."""
    fields = {node["nodeId"]: node for node in nodes}
    parents = {child: node["nodeId"] for node in nodes for child in node.get("childIds", [])}
    telling: set[str] = set()
    for node in nodes:
        path = [node["nodeId"]]
        while path[-1] in parents:
            path.append(parents[path[-1]])
        if _tells(node) and not any(_role(fields[each]) == "ListMarker" for each in path):
            telling.update(path)
    return {node["nodeId"] for node in nodes} - telling


def _tells(node: Mapping[str, Any]) -> bool:
    if node["ignored"]:
        return False
    values = (str(node.get(kind, {}).get("value", "")) for kind in ("name", "value"))
    return any(value.strip() for value in values) or _role(node) in INTERACTIVE


def _role(node: Mapping[str, Any]) -> str:
    return str(node.get("role", {}).get("value", ""))


def states(node: Mapping[str, Any]) -> dict[str, object]:
    """The properties and the value of a node of Chrome's tree."""
    found = {each["name"]: each["value"].get("value") for each in node.get("properties", [])}
    if "value" in node:
        found["value"] = node["value"].get("value")
    return found


async def author_nodes(session: Session) -> dict[int, Mapping[str, Any]]:
    """Return the elements by backend node id, as CDP describes them, in the order of `numbered.js`.

    It does not contain elements inside Chrome's own controls (the picker of a date field, for
    example) and in closed shadow roots.
    """
    root: dict[str, Any] = dict((await session.DOM.getDocument(depth=-1, pierce=True))["root"])
    found: dict[int, Mapping[str, Any]] = {}
    scopes = [root]
    for scope in scopes:
        for element in _in_tree_order(scope):
            found[element["backendNodeId"]] = element
            for shadow in element.get("shadowRoots", []):
                if shadow["shadowRootType"] == "open":
                    scopes.append(shadow)
    return found


def _in_tree_order(scope: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    pending = list(reversed(scope.get("children", [])))
    while pending:
        node = pending.pop()
        if node["nodeType"] == 1:
            yield node
            pending.extend(reversed(node.get("children", [])))


def attributes_of(element: Mapping[str, Any]) -> dict[str, str]:
    """The attributes of an element that CDP described."""
    flat = element.get("attributes", [])
    return dict(zip(flat[::2], flat[1::2], strict=True))


def start_tag(element: Mapping[str, Any]) -> str:
    """The element's start tag, shortened."""
    attributes = "".join(
        f" {name}" + (f'="{value}"' if value else "")
        for name, value in attributes_of(element).items()
    )
    tag = re.sub(r"\s+", " ", f"<{element['localName']}{attributes}>")
    return tag if len(tag) <= LONGEST_TAG else f"{tag[:LONGEST_TAG]}…>"
