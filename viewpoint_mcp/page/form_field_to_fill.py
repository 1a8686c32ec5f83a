"""A form field to fill in, as the agent specifies it."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

FieldType = Literal["textbox", "checkbox", "radio", "combobox", "slider"]


class FieldToFill(Struct, frozen=True):
    """One form field, and the value to fill in.

    Args:
        name: The agent's name for the field.
        ref: A ref or a CSS selector.
        value: A text, "true" or "false", an option, or a number, depending on the type.
    """

    name: str
    type: FieldType
    ref: str
    value: str
