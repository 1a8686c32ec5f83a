"""Descriptions of types and values for the messages of argument errors."""

from __future__ import annotations

from msgspec import inspect

_LONGEST_VALUE = 60


def unwrap(declared: inspect.Type) -> inspect.Type:
    """Return a type without its description, and without null if one other type remains."""
    if isinstance(declared, inspect.Metadata):
        return unwrap(declared.type)
    if isinstance(declared, inspect.UnionType):
        others = [kind for kind in declared.types if not isinstance(kind, inspect.NoneType)]
        if len(others) == 1:
            return unwrap(others[0])
    return declared


def may_name_secret(declared: inspect.Type) -> bool:
    """Return whether text of this type may be the name of a secret; see `args.Typed`."""
    if isinstance(declared, inspect.UnionType):
        return any(map(may_name_secret, declared.types))
    return isinstance(declared, inspect.Metadata) and bool(declared.extra)


def describe_type(declared: inspect.Type) -> str:
    """Describe the values of a type, as in "an integer from 1 to 9"."""
    kind = unwrap(declared)
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
            return f"{_describe_array(kind)}, each item {describe_type(kind.item_type)}"
        case inspect.StructType():
            return "an object with " + ", ".join(field.encode_name for field in kind.fields)
        case inspect.DictType():
            return f"an object, each value {describe_type(kind.value_type)}"
        case inspect.UnionType():
            return " or ".join(
                describe_type(part) for part in kind.types if not isinstance(part, inspect.NoneType)
            )
    return "a JSON value"


def _describe_limits(kind: inspect.IntType | inspect.FloatType) -> str:
    if kind.ge is not None and kind.le is not None:
        return f" from {kind.ge} to {kind.le}"
    bounds = [
        (" of at least", kind.ge),
        (" greater than", kind.gt),
        (" of at most", kind.le),
        (" less than", kind.lt),
    ]
    return " and".join(f"{words} {bound}" for words, bound in bounds if bound is not None)


def _describe_string(kind: inspect.StrType) -> str:
    if kind.max_length is not None:
        return f"a string of {kind.min_length or 0} to {kind.max_length} characters"
    if (kind.min_length or 0) > 1:
        return f"a string of at least {kind.min_length} characters"
    return "a non-empty string" if kind.min_length else "a string"


def _describe_array(kind: inspect.ListType) -> str:
    if kind.max_length is not None:
        return f"an array of {kind.min_length or 0} to {kind.max_length}"
    if (kind.min_length or 0) > 1:
        return f"an array of at least {kind.min_length}"
    return "a non-empty array" if kind.min_length else "an array"


def describe_value(value: object) -> str:
    """Describe a value in JSON terms, shortened if it is long."""
    match value:
        case None:
            return "null"
        case bool():
            return "true" if value else "false"
        case str():
            cut = value if len(value) <= _LONGEST_VALUE else value[:_LONGEST_VALUE] + "…"
            return repr(cut)
        case list():
            return f"an array of {len(value)}" if value else "an empty array"
        case dict():
            return "an object"
    return repr(value)[:_LONGEST_VALUE]
