"""Descriptions of types and values for the messages of argument errors."""

from __future__ import annotations

from msgspec import inspect

_MAX_VALUE_LENGTH = 60


def unwrap_type(declared_type: inspect.Type) -> inspect.Type:
    """Return a type without its description, and without null if one other type remains."""
    if isinstance(declared_type, inspect.Metadata):
        return unwrap_type(declared_type.type)
    if isinstance(declared_type, inspect.UnionType):
        others = [kind for kind in declared_type.types if not isinstance(kind, inspect.NoneType)]
        if len(others) == 1:
            return unwrap_type(others[0])
    return declared_type


def unwrap_type_of_value(declared_type: inspect.Type, value: object) -> inspect.Type:
    """Return a type as `unwrap_type`; of several types, the struct if the value is an object."""
    kind = unwrap_type(declared_type)
    if isinstance(kind, inspect.UnionType) and isinstance(value, dict):
        structs = [each for each in kind.types if isinstance(each, inspect.StructType)]
        return structs[0] if structs else kind
    return kind


def accepts_secret_name(declared_type: inspect.Type) -> bool:
    """Return whether text of this type may be the name of a secret; see `args.TypedText`."""
    if isinstance(declared_type, inspect.UnionType):
        return any(map(accepts_secret_name, declared_type.types))
    return isinstance(declared_type, inspect.Metadata) and bool(declared_type.extra)


def describe_type(declared_type: inspect.Type) -> str:
    """Describe the values of a type, as in "an integer from 1 to 9"."""
    kind = unwrap_type(declared_type)
    match kind:
        case inspect.StrType():
            return _describe_string(kind)
        case inspect.BoolType():
            return "true or false"
        case inspect.IntType() | inspect.FloatType():
            noun = "an integer" if isinstance(kind, inspect.IntType) else "a number"
            return noun + _describe_limits(kind)
        case inspect.LiteralType():
            return "one of " + ", ".join(str(value) for value in kind.values)
        case inspect.ListType():
            return f"{_describe_array_length(kind)}, each item {describe_type(kind.item_type)}"
        case inspect.StructType():
            return "an object with " + ", ".join(field.encode_name for field in kind.fields)
        case inspect.DictType():
            return f"an object, each value {describe_type(kind.value_type)}"
        case inspect.UnionType():
            return " or ".join(
                describe_type(part) for part in kind.types if not isinstance(part, inspect.NoneType)
            )
    return "a JSON value"


def _describe_limits(number_type: inspect.IntType | inspect.FloatType) -> str:
    if number_type.ge is not None and number_type.le is not None:
        return f" from {number_type.ge} to {number_type.le}"
    bounds = [
        (" of at least", number_type.ge),
        (" greater than", number_type.gt),
        (" of at most", number_type.le),
        (" less than", number_type.lt),
    ]
    return " and".join(f"{words} {bound}" for words, bound in bounds if bound is not None)


def _describe_string(string_type: inspect.StrType) -> str:
    if string_type.max_length is not None:
        return f"a string of {string_type.min_length or 0} to {string_type.max_length} characters"
    if (string_type.min_length or 0) > 1:
        return f"a string of at least {string_type.min_length} characters"
    return "a non-empty string" if string_type.min_length else "a string"


def _describe_array_length(list_type: inspect.ListType) -> str:
    if list_type.max_length is not None:
        return f"an array of {list_type.min_length or 0} to {list_type.max_length}"
    if (list_type.min_length or 0) > 1:
        return f"an array of at least {list_type.min_length}"
    return "a non-empty array" if list_type.min_length else "an array"


def describe_value(value: object) -> str:
    """Describe a value in JSON terms, shortened if it is long."""
    match value:
        case None:
            return "null"
        case bool():
            return "true" if value else "false"
        case str():
            cut = value if len(value) <= _MAX_VALUE_LENGTH else value[:_MAX_VALUE_LENGTH] + "…"
            return repr(cut)
        case list():
            return f"an array of {len(value)}" if value else "an empty array"
        case dict():
            return "an object"
    return repr(value)[:_MAX_VALUE_LENGTH]
