"""Help texts for the domains, commands, events and types of a protocol description."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from cdp_protocol.description.name_suggestions import did_you_mean
from cdp_protocol.description.type_names import qualify_type_name, type_name

if TYPE_CHECKING:
    from cdp_protocol.description import Description, Json

MAX_LINE_WIDTH = 88  # columns


def make_help_text(description: Description, name: str) -> str:
    """Return the help text for a name; see `Description.explain`."""
    for lines in (
        _domain_lines(description, name),
        _command_lines(description, name),
        _event_lines(description, name),
        _type_lines(description, name),
    ):
        if lines:
            return "\n".join(lines) + "\n"
    suggestion = did_you_mean(description.suggest(name))
    raise LookupError(f"{description.revision} has no {name}.{suggestion}")


def _domain_lines(description: Description, name: str) -> list[str]:
    domain = description.domains.get(name)
    if domain is None:
        return []
    lines = [*_heading_lines(name, "a domain", domain)]
    groups = (("Commands", "commands"), ("Events", "events"), ("Types", "types"))
    for title, group in groups:
        members = domain.get(group, [])
        if members:
            lines += ["", f"{title}:"]
        for member in members:
            full_name = f"{name}.{member.get('name') or member['id']}"
            marks = (
                f" ({', '.join(marks_list)})" if (marks_list := _list_status_words(member)) else ""
            )
            text = _description_text(member).partition(". ")[0].rstrip(".")
            line = f"{full_name}{marks}{': ' if text else ''}{text}"
            lines.append(f"  {textwrap.shorten(line, MAX_LINE_WIDTH - 2, placeholder=' …')}")
    return lines


def _command_lines(description: Description, name: str) -> list[str]:
    command = description.command(name)
    if command is None:
        return []
    domain = name.partition(".")[0]
    lines = [*_heading_lines(name, "a command", command)]
    parameters, returns = command.get("parameters", []), command.get("returns", [])
    lines += ["", "Parameters:" if parameters else "No parameters."]
    lines += _field_lines(description, parameters, domain)
    lines += ["", "Returns:" if returns else "Returns nothing."]
    lines += _field_lines(description, returns, domain)
    return [*lines, *_object_type_lines(description, parameters, domain)]


def _event_lines(description: Description, name: str) -> list[str]:
    event = description.event(name)
    if event is None:
        return []
    parameters = event.get("parameters", [])
    lines = [*_heading_lines(name, "an event", event), ""]
    lines.append("Parameters:" if parameters else "No parameters.")
    return [*lines, *_field_lines(description, parameters, name.partition(".")[0])]


def _type_lines(description: Description, name: str) -> list[str]:
    spec = description.type(name)
    if spec is None:
        return []
    domain = name.partition(".")[0]
    type_text = type_name(spec, domain)
    lines = [*_heading_lines(name, f"a type: {type_text}", spec), *_enum_lines(spec, "")]
    if properties := spec.get("properties"):
        lines += ["", "Properties:", *_field_lines(description, properties, domain)]
    return lines


def _heading_lines(name: str, kind_text: str, spec: Json) -> Iterator[str]:
    yield ", ".join([f"{name}, {kind_text}", *_list_status_words(spec)])
    yield from _wrap(_description_text(spec), "")
    if redirect := spec.get("redirect"):
        yield f"The domain {redirect} implements it."


def _field_lines(description: Description, fields: Iterable[Json], domain: str) -> Iterator[str]:
    for field in fields:
        text = type_name(field, domain)
        values = field
        if ref := field.get("$ref"):
            type_spec = description.type(qualify_type_name(ref, domain)) or {}
            values = type_spec
            if type_spec.get("type") != "object":
                text += f" ({type_name(type_spec, domain)})"
        marks = ["optional"] if field.get("optional") else []
        line = f"{field['name']}: {', '.join([text, *marks, *_list_status_words(field)])}"
        yield from _wrap(line, "  ", hanging="  ")
        yield from _wrap(_description_text(field), " " * 6)
        yield from _enum_lines(values, " " * 6)


def _enum_lines(spec: Json, indent: str) -> list[str]:
    values = spec.get("enum") or spec.get("items", {}).get("enum")
    if not values:
        return []
    text = f"One of: {', '.join(values)}"
    return _wrap(text, indent, hanging="  ")


def _object_type_lines(
    description: Description, fields: Sequence[Json], domain: str
) -> Iterator[str]:
    """Yield the properties of the object types in parameters, each type once.

    Nested object types are included, because the sender of a command must construct them.
    """
    seen: set[str] = set()
    queue = [(field, domain) for field in fields]
    while queue:
        field, domain = queue.pop(0)
        field = field.get("items", field)
        if "$ref" not in field:
            continue
        name = qualify_type_name(field["$ref"], domain)
        spec = description.type(name) or {}
        domain = name.partition(".")[0]
        if name in seen:
            continue
        seen.add(name)
        if properties := spec.get("properties"):
            yield from ("", f"{name}:", *_field_lines(description, properties, domain))
        queue += [(each, domain) for each in (*spec.get("properties", ()), spec)]


def _list_status_words(spec: Json) -> list[str]:
    return [mark for mark in ("experimental", "deprecated") if spec.get(mark)]


def _description_text(spec: Json) -> str:
    return " ".join(str(spec.get("description", "")).split())


def _wrap(text: str, indent: str, *, hanging: str = "") -> list[str]:
    return textwrap.wrap(
        text,
        MAX_LINE_WIDTH,
        initial_indent=indent,
        subsequent_indent=indent + hanging,
        break_long_words=False,
        break_on_hyphens=False,
    )
