"""A field of a form as the caller names it."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

FieldType = Literal["textbox", "checkbox", "radio", "combobox", "slider"]


class Field(Struct, frozen=True):
    """One field as the caller named it.

    Args:
        name: The caller's own name for it.
        ref: A ref or a CSS selector.
        value: The text, "true" or "false", an option, a number.
    """

    name: str
    type: FieldType
    ref: str
    value: str
