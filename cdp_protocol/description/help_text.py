"""Help texts for the domains, commands, events and types of a protocol description."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from cdp_protocol.description.names import kind, meant, qualified

if TYPE_CHECKING:
    from cdp_protocol.description import Description, Json

WIDTH = 88  # columns


def explain(description: Description, name: str) -> str:
    """Return the help text for a name; see `Description.explain`."""
    for lines in (
        _domain(description, name),
        _command(description, name),
        _event(description, name),
        _type(description, name),
    ):
        if lines:
            return "\n".join(lines) + "\n"
    likely = meant(description.suggest(name))
    raise LookupError(f"{description.revision} has nothing that is called {name}.{likely}")


def _domain(description: Description, name: str) -> list[str]:
    domain = description.domains.get(name)
    if domain is None:
        return []
    lines = [*_head(name, "a domain", domain)]
    groups = (("Commands", "commands"), ("Events", "events"), ("Types", "types"))
    for title, group in groups:
        members = domain.get(group, [])
        if members:
            lines += ["", f"{title}:"]
        for member in members:
            own = f"{name}.{member.get('name') or member['id']}"
            marks = f" ({', '.join(marked)})" if (marked := _marks(member)) else ""
            text = _prose(member).partition(". ")[0].rstrip(".")
            line = f"{own}{marks}{': ' if text else ''}{text}"
            lines.append(f"  {textwrap.shorten(line, WIDTH - 2, placeholder=' …')}")
    return lines


def _command(description: Description, name: str) -> list[str]:
    command = description.command(name)
    if command is None:
        return []
    home = name.partition(".")[0]
    lines = [*_head(name, "a command", command)]
    parameters, returns = command.get("parameters", []), command.get("returns", [])
    lines += ["", "Parameters:" if parameters else "No parameters."]
    lines += _fields(description, parameters, home)
    lines += ["", "Returns:" if returns else "Returns nothing."]
    lines += _fields(description, returns, home)
    return [*lines, *_shapes(description, parameters, home)]


def _event(description: Description, name: str) -> list[str]:
    event = description.event(name)
    if event is None:
        return []
    parameters = event.get("parameters", [])
    lines = [*_head(name, "an event", event), ""]
    lines.append("Parameters:" if parameters else "No parameters.")
    return [*lines, *_fields(description, parameters, name.partition(".")[0])]


def _type(description: Description, name: str) -> list[str]:
    spec = description.type(name)
    if spec is None:
        return []
    home = name.partition(".")[0]
    what = kind(spec, home)
    lines = [*_head(name, f"a type: {what}", spec), *_values(spec, "")]
    if properties := spec.get("properties"):
        lines += ["", "Properties:", *_fields(description, properties, home)]
    return lines


def _head(name: str, what: str, spec: Json) -> Iterator[str]:
    yield ", ".join([f"{name}, {what}", *_marks(spec)])
    yield from _wrapped(_prose(spec), "")
    if redirect := spec.get("redirect"):
        yield f"It is the domain {redirect} that does this."


def _fields(description: Description, fields: Iterable[Json], home: str) -> Iterator[str]:
    for field in fields:
        text = kind(field, home)
        values = field
        if ref := field.get("$ref"):
            found = description.type(qualified(ref, home)) or {}
            values = found
            if found.get("type") != "object":
                text += f" ({kind(found, home)})"
        marks = ["optional"] if field.get("optional") else []
        line = f"{field['name']}: {', '.join([text, *marks, *_marks(field)])}"
        yield from _wrapped(line, "  ", hanging="  ")
        yield from _wrapped(_prose(field), " " * 6)
        yield from _values(values, " " * 6)


def _values(spec: Json, indent: str) -> list[str]:
    values = spec.get("enum") or spec.get("items", {}).get("enum")
    if not values:
        return []
    text = f"One of: {', '.join(values)}"
    return _wrapped(text, indent, hanging="  ")


def _shapes(description: Description, fields: Sequence[Json], home: str) -> Iterator[str]:
    """Yield the properties of the object types in parameters, each type once.

    Nested object types are included, because the sender of a command must construct them.
    """
    shown: set[str] = set()
    queue = [(field, home) for field in fields]
    while queue:
        field, home = queue.pop(0)
        field = field.get("items", field)
        if "$ref" not in field:
            continue
        name = qualified(field["$ref"], home)
        spec = description.type(name) or {}
        home = name.partition(".")[0]
        if name in shown:
            continue
        shown.add(name)
        if properties := spec.get("properties"):
            yield from ("", f"{name}:", *_fields(description, properties, home))
        queue += [(each, home) for each in (*spec.get("properties", ()), spec)]


def _marks(spec: Json) -> list[str]:
    return [mark for mark in ("experimental", "deprecated") if spec.get(mark)]


def _prose(spec: Json) -> str:
    return " ".join(str(spec.get("description", "")).split())


def _wrapped(text: str, indent: str, *, hanging: str = "") -> list[str]:
    return textwrap.wrap(
        text,
        WIDTH,
        initial_indent=indent,
        subsequent_indent=indent + hanging,
        break_long_words=False,
        break_on_hyphens=False,
    )
