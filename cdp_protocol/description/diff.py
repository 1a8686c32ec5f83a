"""Comparison of two protocol descriptions, down to single parameters."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from cdp_protocol.description.type_names import type_name

if TYPE_CHECKING:
    from cdp_protocol.description import Description, Json

MARKS = ("optional", "experimental", "deprecated")
FIELD_GROUPS = (("parameters", "parameter"), ("returns", "result"), ("properties", "property"))


def compare_descriptions(old: Description, new: Description) -> list[str]:
    """Return the differences between two descriptions; see `Description.drift`."""
    before, after = _members_by_name(old), _members_by_name(new)
    lines = [f"new:     {name}" for name in after if name not in before]
    lines += [f"gone:    {name}" for name in before if name not in after]
    for name, member in before.items():
        if name in after:
            domain = name.partition(".")[0]
            lines += [
                f"changed: {name}: {change}"
                for change in _describe_changes(member, after[name], domain)
            ]
    return lines


def _members_by_name(description: Description) -> dict[str, Json]:
    """Return all domains and members by name."""
    members: dict[str, Json] = {}
    for name in sorted(description.domains):
        domain = description.domains[name]
        members[name] = {key: domain[key] for key in MARKS if key in domain}
        for group in ("types", "commands", "events"):
            for member in domain.get(group, ()):
                members[f"{name}.{member.get('name') or member['id']}"] = member
    return members


def _describe_changes(before: Json, after: Json, domain: str) -> Iterator[str]:
    """Yield the changes of a member or field, one clause each."""
    if (now := _describe_type_and_status(after, domain)) != (
        was := _describe_type_and_status(before, domain)
    ):
        yield f"{now or 'stable'}, was {was or 'stable'}"
    yield from _describe_enum_changes(before, after)
    for group, word in FIELD_GROUPS:
        old = {field["name"]: field for field in before.get(group, ())}
        new = {field["name"]: field for field in after.get(group, ())}
        yield from (
            f"new {word} {n}, {_describe_type_and_status(new[n], domain)}"
            for n in new
            if n not in old
        )
        yield from (f"{word} {name} is gone" for name in old if name not in new)
        for name, field in old.items():
            if name in new:
                changes = _describe_changes(field, new[name], domain)
                yield from (f"{word} {name}: {change}" for change in changes)


def _describe_type_and_status(spec: Json, domain: str) -> str:
    """Return the type and the marks of a field: "array of DOM.NodeId, optional"."""
    is_typed = "type" in spec or "$ref" in spec
    marks = [mark for mark in MARKS if spec.get(mark)]
    return ", ".join([*([type_name(spec, domain)] if is_typed else []), *marks])


def _describe_enum_changes(before: Json, after: Json) -> Iterator[str]:
    old, new = (
        spec.get("enum") or spec.get("items", {}).get("enum", ()) for spec in (before, after)
    )
    if added := [value for value in new if value not in old]:
        yield f"new values {', '.join(added)}"
    if removed := [value for value in old if value not in new]:
        yield f"values {', '.join(removed)} are gone"
