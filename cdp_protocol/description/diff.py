"""Comparison of two protocol descriptions, down to single parameters."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from cdp_protocol.description.names import kind

if TYPE_CHECKING:
    from cdp_protocol.description import Description, Json

MARKS = ("optional", "experimental", "deprecated")
GROUPS = (("parameters", "parameter"), ("returns", "result"), ("properties", "property"))


def drift(ours: Description, theirs: Description) -> list[str]:
    """Return the differences between two descriptions; see `Description.drift`."""
    before, after = _all(ours), _all(theirs)
    lines = [f"new:     {name}" for name in after if name not in before]
    lines += [f"gone:    {name}" for name in before if name not in after]
    for name, member in before.items():
        if name in after:
            home = name.partition(".")[0]
            lines += [f"changed: {name}: {what}" for what in _changes(member, after[name], home)]
    return lines


def _all(description: Description) -> dict[str, Json]:
    """Return all domains and members by name."""
    found: dict[str, Json] = {}
    for name in sorted(description.domains):
        domain = description.domains[name]
        found[name] = {key: domain[key] for key in MARKS if key in domain}
        for group in ("types", "commands", "events"):
            for member in domain.get(group, ()):
                found[f"{name}.{member.get('name') or member['id']}"] = member
    return found


def _changes(before: Json, after: Json, home: str) -> Iterator[str]:
    """Yield the changes of a member or field, one clause each."""
    if (now := _facts(after, home)) != (was := _facts(before, home)):
        yield f"{now or 'stable'}, was {was or 'stable'}"
    yield from _values(before, after)
    for group, word in GROUPS:
        old = {field["name"]: field for field in before.get(group, ())}
        new = {field["name"]: field for field in after.get(group, ())}
        yield from (f"new {word} {n}, {_facts(new[n], home)}" for n in new if n not in old)
        yield from (f"{word} {name} is gone" for name in old if name not in new)
        for name, field in old.items():
            if name in new:
                changes = _changes(field, new[name], home)
                yield from (f"{word} {name}: {change}" for change in changes)


def _facts(spec: Json, home: str) -> str:
    """Return the type and the marks of a field: "array of DOM.NodeId, optional"."""
    is_typed = "type" in spec or "$ref" in spec
    marks = [mark for mark in MARKS if spec.get(mark)]
    return ", ".join([*([kind(spec, home)] if is_typed else []), *marks])


def _values(before: Json, after: Json) -> Iterator[str]:
    old, new = (
        each.get("enum") or each.get("items", {}).get("enum", ()) for each in (before, after)
    )
    if more := [value for value in new if value not in old]:
        yield f"new values {', '.join(more)}"
    if less := [value for value in old if value not in new]:
        yield f"values {', '.join(less)} are gone"
