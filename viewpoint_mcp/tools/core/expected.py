"""Declared types and given values as words for the sentences of argument errors."""

from __future__ import annotations

from msgspec import inspect

_LONGEST_VALUE = 60


def unwrap(declared: inspect.Type) -> inspect.Type:
    """A type without its description, and without null when exactly one other is left."""
    if isinstance(declared, inspect.Metadata):
        return unwrap(declared.type)
    if isinstance(declared, inspect.UnionType):
        others = [kind for kind in declared.types if not isinstance(kind, inspect.NoneType)]
        if len(others) == 1:
            return unwrap(others[0])
    return declared


def may_name_secret(declared: inspect.Type) -> bool:
    """Whether a text of this type is typed into a page: see `args.Typed`."""
    if isinstance(declared, inspect.UnionType):
        return any(map(may_name_secret, declared.types))
    return isinstance(declared, inspect.Metadata) and bool(declared.extra)


def describe(declared: inspect.Type) -> str:
    """What a value must be, as in "an integer from 1 to 9"."""
    kind = unwrap(declared)
    match kind:
        case inspect.StrType():
            return _string(kind)
        case inspect.BoolType():
            return "true or false"
        case inspect.IntType() | inspect.FloatType():
            noun = "an integer" if isinstance(kind, inspect.IntType) else "a number"
            return noun + _limits(kind)
        case inspect.LiteralType():
            return "one of " + ", ".join(str(value) for value in kind.values)
        case inspect.ListType():
            return f"{_array(kind)}, each item {describe(kind.item_type)}"
        case inspect.StructType():
            return "an object with " + ", ".join(field.encode_name for field in kind.fields)
        case inspect.DictType():
            return f"an object, each value {describe(kind.value_type)}"
        case inspect.UnionType():
            return " or ".join(
                describe(part) for part in kind.types if not isinstance(part, inspect.NoneType)
            )
    return "a JSON value"


def _limits(kind: inspect.IntType | inspect.FloatType) -> str:
    if kind.ge is not None and kind.le is not None:
        return f" from {kind.ge} to {kind.le}"
    bounds = [
        (" of at least", kind.ge),
        (" greater than", kind.gt),
        (" of at most", kind.le),
        (" less than", kind.lt),
    ]
    return " and".join(f"{words} {bound}" for words, bound in bounds if bound is not None)


def _string(kind: inspect.StrType) -> str:
    if kind.max_length is not None:
        return f"a string of {kind.min_length or 0} to {kind.max_length} characters"
    if (kind.min_length or 0) > 1:
        return f"a string of at least {kind.min_length} characters"
    return "a non-empty string" if kind.min_length else "a string"


def _array(kind: inspect.ListType) -> str:
    if kind.max_length is not None:
        return f"an array of {kind.min_length or 0} to {kind.max_length}"
    if (kind.min_length or 0) > 1:
        return f"an array of at least {kind.min_length}"
    return "a non-empty array" if kind.min_length else "an array"


def present(value: object) -> str:
    """A given value as the client knows it, cut when long."""
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
