"""Validation of commands against the protocol description."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from cdp_protocol.description.names import kind, meant, nearest, qualified

if TYPE_CHECKING:
    from cdp_protocol.description import Description, Json

INTEGERS = 1 << 31  # 32-bit integers are from -INTEGERS to INTEGERS - 1
MOST_SHOWN = 40  # characters of a value that is not in its enumeration


def problems(description: Description, method: str, params: object) -> list[str]:
    """Return the mistakes in a command; see `Description.problems`."""
    command = description.command(method)
    if command is None:
        return [no_command(description, method)]
    if not isinstance(params, Mapping):
        return [f"The parameters of {method} must be an object, not {_told(params)}."]
    check = Check(description)
    home = method.partition(".")[0]
    owner = f"parameter of {method}"
    return list(check.members(params, command.get("parameters", ()), home, owner))


def no_command(description: Description, method: str) -> str:
    """Return a sentence that reports an unknown command and suggests similar names."""
    if description.event(method) is not None:
        return f"{method} is an event, no command: it is listened to, not sent."
    likely = meant(nearest(method, description.commands()))
    return f"{method} is no command of {description.revision}.{likely}"


class Check:
    """Compares parameters with their description, recursively."""

    def __init__(self, description: Description) -> None:
        self._description = description

    def members(
        self,
        given: Mapping[str, Any],
        declared: Sequence[Json],
        home: str,
        owner: str,
        at: str = "",
    ) -> Iterator[str]:
        """Yield the mistakes in an object, one sentence each.

        Args:
            given: The object to check.
            declared: The descriptions of its parameters or properties.
            home: The domain that declares them.
            owner: The role of the members for the sentences: "parameter of Page.navigate".
            at: The path of the object with a dot at its end; "" for the parameters themselves.
        """
        known = {each["name"]: each for each in declared}
        for name in given:
            if name not in known:
                likely = meant(nearest(name, known)) or _all(list(known))
                yield f"{at}{name} is no {owner}.{likely}"
        for name, spec in known.items():
            if name in given:
                yield from self.value(given[name], spec, home, f"{at}{name}")
            elif not spec.get("optional"):
                yield f"{at}{name} is missing ({self._expected(spec, home)})."

    def value(self, value: Any, spec: Json, home: str, path: str) -> Iterator[str]:
        """Yield the mistakes in a value, one sentence each.

        Args:
            value: The value, of the types that orjson returns.
            spec: Its description.
            home: The domain that contains the description.
            path: The path of the value: "clip.scale".
        """
        name = ""
        if ref := spec.get("$ref"):
            name = qualified(ref, home)
            found = self._description.type(name)
            if found is None:
                return  # The description is incomplete.
            home, spec = name.partition(".")[0], found
        if not _fits(value, spec):
            yield f"{path} must be {self._expected(spec, home, name)}, not {_told(value)}."
        elif values := spec.get("enum"):
            if value not in values:
                yield f"{path} must be {_one_of(values)}{_instead(value, values)}"
        elif isinstance(value, list | tuple) and "items" in spec:
            for number, item in enumerate(value):
                yield from self.value(item, spec["items"], home, f"{path}[{number}]")
        elif isinstance(value, Mapping) and (declared := spec.get("properties")):
            owner = f"property of {name or path}"
            yield from self.members(value, declared, home, owner, f"{path}.")

    def _expected(self, spec: Json, home: str, name: str = "") -> str:
        if ref := spec.get("$ref"):
            name = qualified(ref, home)
            home, spec = name.partition(".")[0], self._description.type(name) or spec
        if values := spec.get("enum"):
            return _one_of(values)
        if spec.get("type") == "integer":
            return "an integer of 32 bits"
        text = kind(spec, home)
        text = f"{'an' if text[0] in 'aio' else 'a'} {text}"
        return f"{text}, {name}" if name and spec.get("type") == "object" else text


def _fits(value: Any, spec: Json) -> bool:
    """Return whether a value has the described JSON type. Its content is not checked."""
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    match spec.get("type"):
        case "string" | "binary":
            return isinstance(value, str)
        case "boolean":
            return isinstance(value, bool)
        case "number":
            return is_number
        case "integer":
            whole = is_number and (isinstance(value, int) or value.is_integer())
            return whole and -INTEGERS <= value < INTEGERS
        case "array":
            return isinstance(value, list | tuple)
        case "object":
            return isinstance(value, Mapping)
    return True


def _told(value: Any) -> str:
    """Return a value as words.

    Of strings, arrays and objects, return only the type, because they may be secret.
    """
    match value:
        case None:
            return "null"
        case bool():
            return "true" if value else "false"
        case int() | float():
            return f"the number {value}"
        case str():
            return "a string"
        case list() | tuple():
            return "an array"
        case Mapping():
            return "an object"
    return f"a {type(value).__name__}"


def _one_of(values: Sequence[str]) -> str:
    return f"one of {', '.join(values)}" if len(values) > 1 else f'"{values[0]}"'


def _instead(value: str, values: Sequence[str]) -> str:
    if len(value) > MOST_SHOWN:
        return ", not something so long."
    return f', not "{value}".{meant(nearest(value, values))}'


def _all(names: Sequence[str]) -> str:
    return f" It has {', '.join(names)}." if names else " It has none."
