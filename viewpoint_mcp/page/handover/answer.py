"""The answer of a person."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

Outcome = Literal["done", "declined"]


class Answer(Struct, frozen=True):
    """The answer of a person to a request.

    Args:
        outcome: Whether the person did what was asked.
        text: What the person wrote to the agent; "" for nothing.
    """

    outcome: Outcome
    text: str = ""
