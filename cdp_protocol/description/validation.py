"""Validation of commands against the protocol description."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from cdp_protocol.description.name_suggestions import did_you_mean, similar_names
from cdp_protocol.description.type_names import qualify_type_name, type_name

if TYPE_CHECKING:
    from cdp_protocol.description import Description, Json

INTEGER_LIMIT = 1 << 31  # 32-bit integers are from -INTEGER_LIMIT to INTEGER_LIMIT - 1
MAX_QUOTED_LENGTH = 40  # characters of a value that is not in its enumeration


def find_problems(description: Description, method: str, params: object) -> list[str]:
    """Return the mistakes in a command; see `Description.problems`."""
    command = description.command(method)
    if command is None:
        return [describe_unknown_command(description, method)]
    if not isinstance(params, Mapping):
        return [f"The parameters of {method} must be an object, not {_describe_value(params)}."]
    check = ParameterCheck(description)
    domain = method.partition(".")[0]
    owner = f"parameter of {method}"
    return list(check.find_mistakes_in_object(params, command.get("parameters", ()), domain, owner))


def describe_unknown_command(description: Description, method: str) -> str:
    """Return a sentence that reports an unknown command and suggests similar names."""
    if description.event(method) is not None:
        return f"{method} is an event, not a command. Listen to it instead."
    suggestion = did_you_mean(similar_names(method, description.commands()))
    return f"{method} is not a command of {description.revision}.{suggestion}"


class ParameterCheck:
    """Compares parameters with their description, recursively."""

    def __init__(self, description: Description) -> None:
        self._description = description

    def find_mistakes_in_object(
        self,
        members: Mapping[str, Any],
        declared: Sequence[Json],
        domain: str,
        owner: str,
        path_prefix: str = "",
    ) -> Iterator[str]:
        """Yield the mistakes in an object, one sentence each.

        Args:
            members: The object to check.
            declared: The descriptions of its parameters or properties.
            domain: The domain that declares them.
            owner: The role of the members for the sentences: "parameter of Page.navigate".
            path_prefix: The path of the object with a dot at its end; "" for the parameters.
        """
        declared_by_name = {each["name"]: each for each in declared}
        for name in members:
            if name not in declared_by_name:
                suggestion = did_you_mean(
                    similar_names(name, declared_by_name)
                ) or _list_known_names(list(declared_by_name))
                yield f"{path_prefix}{name} is not a {owner}.{suggestion}"
        for name, spec in declared_by_name.items():
            if name in members:
                yield from self.find_mistakes_in_value(
                    members[name], spec, domain, f"{path_prefix}{name}"
                )
            elif not spec.get("optional"):
                yield f"{path_prefix}{name} is missing ({self._describe_expected(spec, domain)})."

    def find_mistakes_in_value(
        self, value: Any, spec: Json, domain: str, path: str
    ) -> Iterator[str]:
        """Yield the mistakes in a value, one sentence each.

        Args:
            value: The value, of the types that orjson returns.
            spec: Its description.
            domain: The domain that contains the description.
            path: The path of the value: "clip.scale".
        """
        referenced_type = ""
        if ref := spec.get("$ref"):
            referenced_type = qualify_type_name(ref, domain)
            type_spec = self._description.type(referenced_type)
            if type_spec is None:
                return  # The description is incomplete.
            domain, spec = referenced_type.partition(".")[0], type_spec
        if not _has_described_type(value, spec):
            expected = self._describe_expected(spec, domain, referenced_type)
            yield f"{path} must be {expected}, not {_describe_value(value)}."
        elif values := spec.get("enum"):
            if value not in values:
                wrong = _describe_wrong_choice(value, values)
                yield f"{path} must be {_describe_choices(values)}{wrong}"
        elif isinstance(value, list | tuple) and "items" in spec:
            for number, item in enumerate(value):
                yield from self.find_mistakes_in_value(
                    item, spec["items"], domain, f"{path}[{number}]"
                )
        elif isinstance(value, Mapping) and (declared := spec.get("properties")):
            owner = f"property of {referenced_type or path}"
            yield from self.find_mistakes_in_object(value, declared, domain, owner, f"{path}.")

    def _describe_expected(self, spec: Json, domain: str, referenced_type: str = "") -> str:
        if ref := spec.get("$ref"):
            referenced_type = qualify_type_name(ref, domain)
            domain, spec = (
                referenced_type.partition(".")[0],
                self._description.type(referenced_type) or spec,
            )
        if values := spec.get("enum"):
            return _describe_choices(values)
        if spec.get("type") == "integer":
            return "a 32-bit integer"
        text = type_name(spec, domain)
        text = f"{'an' if text[0] in 'aio' else 'a'} {text}"
        return (
            f"{text}, {referenced_type}"
            if referenced_type and spec.get("type") == "object"
            else text
        )


def _has_described_type(value: Any, spec: Json) -> bool:
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
            is_whole = is_number and (isinstance(value, int) or value.is_integer())
            return is_whole and -INTEGER_LIMIT <= value < INTEGER_LIMIT
        case "array":
            return isinstance(value, list | tuple)
        case "object":
            return isinstance(value, Mapping)
    return True


def _describe_value(value: Any) -> str:
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


def _describe_choices(values: Sequence[str]) -> str:
    return f"one of {', '.join(values)}" if len(values) > 1 else f'"{values[0]}"'


def _describe_wrong_choice(value: str, values: Sequence[str]) -> str:
    if len(value) > MAX_QUOTED_LENGTH:
        return f", not a text of {len(value)} characters."
    return f', not "{value}".{did_you_mean(similar_names(value, values))}'


def _list_known_names(names: Sequence[str]) -> str:
    return f" It has {', '.join(names)}." if names else " It has none."
