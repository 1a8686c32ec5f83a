"""Reads printed snapshots back, as a strict reader of the grammar in `docs/reading.md` would."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import NamedTuple

import yaml

LABEL = re.compile(
    r'(?P<role>[\w-]+)(?: (?P<name>"(?:[^"\\]|\\.)*"))?'
    r'(?P<attributes>(?: \[[\w-]+(?:=(?:"(?:[^"\\]|\\.)*"|[^\]"]*))?\])*)'
    r'(?: -> (?P<url>"(?:[^"\\]|\\.)*"|\S+?))?',
    re.DOTALL,
)

_QUOTED_OPTION = re.compile(r'("(?:[^"\\]|\\.)*")((?: \[(?:disabled|selected)\])*)', re.DOTALL)


class Printed(NamedTuple):
    """An element or a text of a snapshot.

    Attributes:
        role: The role; "text" for a text.
        name: The name, or the text.
        url: The address of a link; "" for none.
        attributes: The attributes as they are printed.
    """

    role: str
    name: str
    url: str = ""
    attributes: str = ""

    @property
    def label(self) -> str:
        """The line without address and content."""
        name = f" {json.dumps(self.name, ensure_ascii=False)}" if self.name else ""
        return f"{self.role}{name}{self.attributes}"


def read_snapshot(text: str) -> list[Printed]:
    """Return the elements and texts of a snapshot in reading order."""
    return list(_iterate_items(yaml.safe_load(text) or []))


def _iterate_items(items: list[object]) -> Iterator[Printed]:
    for item in items:
        key, value = next(iter(item.items())) if isinstance(item, dict) else (item, [])
        if key == "text":
            yield from _iterate_content(value, is_plain=True)
            continue
        match = LABEL.fullmatch(str(key))
        assert match is not None, f"no label: {key!r}"
        yield _make_element(match)
        if isinstance(value, list):
            yield from _iterate_items(value)
        else:
            yield from _iterate_content(value, is_plain=False)


def _make_element(match: re.Match[str]) -> Printed:
    url = match["url"] or ""
    return Printed(
        match["role"],
        json.loads(match["name"], strict=False) if match["name"] else "",
        json.loads(url, strict=False) if url.startswith('"') else url,
        match["attributes"],
    )


def _iterate_content(value: object, *, is_plain: bool) -> Iterator[Printed]:
    """Yield the parts of the text after a label."""
    for part in split_parts(str(value)):
        if part.startswith('"'):
            option = _QUOTED_OPTION.fullmatch(part)
            assert option is not None, f"no quoted text: {part!r}"
            yield Printed("text", json.loads(option[1], strict=False))
            continue
        match = None if is_plain else re.match(rf"{LABEL.pattern}(?:: |\Z)", part, re.DOTALL)
        if match is None or not (match["name"] or match["attributes"]):
            yield Printed("text", part)
            continue
        yield _make_element(match)
        if rest := part[match.end() :]:
            yield Printed("text", json.loads(rest, strict=False) if rest[0] == '"' else rest)


def split_parts(text: str) -> list[str]:
    """Split at ` | ` and ` ; `, but not inside quotes."""
    parts = [""]
    for piece in re.findall(r'"(?:[^"\\]|\\.)*"| [|;] |.', text, re.DOTALL):
        if piece in {" | ", " ; "}:
            parts.append("")
        else:
            parts[-1] += piece
    return parts


def read_running_text(text: str) -> list[Printed]:
    """Return the texts and elements of a line of an editor, which has its elements in the text."""
    items: list[Printed] = []
    raw = ""
    position = 0
    while position < len(text):
        quoted = re.compile(r'"(?:[^"\\]|\\.)*"', re.DOTALL).match(text, position)
        match = None
        if not re.match(r"[\w-]", text[position - 1 : position]):
            label = LABEL.pattern.replace(r"\S+?", r"\S+")
            match = re.compile(label, re.DOTALL).match(text, position)
        if match is not None and not (match["name"] or match["attributes"]):
            match = None
        if quoted is None and match is None:
            raw += text[position]
            position += 1
            continue
        if raw:
            items.append(Printed("text", raw))
            raw = ""
        if quoted is not None:
            items.append(Printed("text", json.loads(quoted[0], strict=False)))
            position = quoted.end()
        elif match is not None:
            items.append(_make_element(match))
            position = match.end()
    return [*items, Printed("text", raw)] if raw else items
