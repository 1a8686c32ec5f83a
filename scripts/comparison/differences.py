"""Differences between the arguments of a tool and those of a peer's tool."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

Schema = Mapping[str, Any]

_LARGEST_INTEGER = 2**53 - 1  # The peers state it as the limit of every integer.
_COUNTS = {"minItems": "at least {} of them", "maxItems": "at most {} of them"}


@dataclass(frozen=True, slots=True)
class Difference:
    """A difference in one argument.

    Args:
        argument: The path of the argument, such as `fields[].value`.
        text: The difference, from the side of this project's tool.
        is_narrower: Whether a call that the peer accepts can be refused here.
        is_added: Whether only this project's tool has the argument.
        is_forbidden: Whether a drop-in replacement must not have this difference.
    """

    argument: str
    text: str
    is_narrower: bool = True
    is_added: bool = False
    is_forbidden: bool = False


def compare_objects(
    peer: Schema, ours: Schema, aliases: Mapping[str, str], path: str = ""
) -> Iterator[Difference]:
    """Yield the differences between two objects of arguments, at all depths.

    Args:
        peer: The JSON Schema of the peer's object.
        ours: The JSON Schema of this project's object. Without `properties`, it accepts all.
        aliases: Accepted names of arguments, with the names in `ours`.
        path: The path of the object, with a dot at its end; "" for all arguments of a tool.
    """
    if "properties" not in ours:
        return
    properties, required = ours["properties"], ours.get("required", ())
    peer_required = peer.get("required", ())
    names = {
        name: name if name in properties else aliases.get(name, name)
        for name in peer.get("properties", {})
    }
    for peer_name, name in names.items():
        is_required = peer_name in peer_required
        if name not in properties:
            yield Difference(f"{path}{peer_name}", "not accepted", is_forbidden=is_required)
            continue
        if is_required and name not in required:
            yield Difference(f"{path}{peer_name}", "optional here", is_narrower=False)
        if name in required and not is_required:
            yield Difference(f"{path}{peer_name}", "required here", is_forbidden=True)
        schema = peer["properties"][peer_name]
        yield from compare_values(schema, properties[name], aliases, f"{path}{peer_name}")
    for name in properties:
        if name not in names.values():
            is_required = name in required
            text = "added and required" if is_required else "added"
            yield Difference(f"{path}{name}", text, is_required, True, is_required)


def compare_values(
    peer: Schema, ours: Schema, aliases: Mapping[str, str], path: str
) -> Iterator[Difference]:
    """Yield the differences between two values.

    Null counts for nothing: the parser accepts it for each optional argument. Of several permitted
    types, the most similar one counts.
    """
    peer, choices = _without_null(peer), _choices(ours)
    if len(choices) > 1:
        found = [list(compare_values(peer, choice, aliases, path)) for choice in choices]
        yield from min(found, key=len)
        return
    [ours] = choices
    if "type" not in ours:
        return
    kind, peer_kind = ours["type"], peer.get("type")
    if kind != peer_kind:
        is_narrower = (peer_kind, kind) != ("integer", "number")
        text = f"{kind} instead of {peer_kind or 'any value'}"
        yield Difference(path, text, is_narrower)
        if not {kind, peer_kind} <= {"integer", "number"}:
            return
    yield from _compare_limits(peer, ours, path)
    if "enum" in ours or "enum" in peer:
        yield from _compare_choices(peer.get("enum"), ours.get("enum"), path)
    if kind == "array" and "items" in ours:
        yield from compare_values(peer["items"], ours["items"], aliases, f"{path}[]")
    if kind == "object":
        yield from compare_objects(peer, ours, aliases, f"{path}.")


def _choices(schema: Schema) -> list[Schema]:
    """Return the permitted types without null, at all depths of `anyOf`."""
    if "anyOf" not in schema:
        return [] if schema == {"type": "null"} else [schema]
    return [choice for kind in schema["anyOf"] for choice in _choices(kind)]


def _without_null(schema: Schema) -> Schema:
    choices = _choices(schema)
    return choices[0] if len(choices) == 1 else schema


def _compare_limits(peer: Schema, ours: Schema, path: str) -> Iterator[Difference]:
    low, high = _range_of(ours)
    peer_low, peer_high = _range_of(peer)
    if (low, high) != (peer_low, peer_high):
        is_narrower = (low is not None and (peer_low is None or peer_low < low)) or (
            high is not None and (peer_high is None or peer_high > high)
        )
        yield Difference(path, _describe_range(low, high), is_narrower)
    for key, text in _COUNTS.items():
        if key in ours and ours[key] != peer.get(key):
            yield Difference(path, text.format(ours[key]))


def _range_of(schema: Schema) -> tuple[float | None, float | None]:
    """Return the least and the greatest value; None for no limit."""
    low, high = schema.get("minimum"), schema.get("maximum")
    if "exclusiveMinimum" in schema:  # The peers use it for positive integers.
        low = schema["exclusiveMinimum"] + 1
    low = None if low is not None and low <= -_LARGEST_INTEGER else low
    high = None if high is not None and high >= _LARGEST_INTEGER else high
    return low, high


def _describe_range(low: float | None, high: float | None) -> str:
    if low is None:
        return "any number" if high is None else f"at most {high}"
    return f"at least {low}" if high is None else f"from {low} to {high}"


def _compare_choices(
    peer: Sequence[str] | None, ours: Sequence[str] | None, path: str
) -> Iterator[Difference]:
    """Yield the differences between two lists of permitted values; None permits all values."""
    if ours is None:
        yield Difference(path, "any text", is_narrower=False)
        return
    if peer is None:
        yield Difference(path, f"only {_quote(ours)}")
        return
    if added := [value for value in ours if value not in peer]:
        yield Difference(path, f"also {_quote(added)}", is_narrower=False)
    if missing := [value for value in peer if value not in ours]:
        yield Difference(path, f"without {_quote(missing)}")


def _quote(values: Sequence[str]) -> str:
    return ", ".join(f"`{value}`" for value in values)
