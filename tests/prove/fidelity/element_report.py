"""What one side says of an element."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class ElementReport:
    """What one side says of an element; a role of "" is an element that is left out.

    Attributes:
        is_mute: Neither it nor anything in it has a name, a text or a value.
    """

    role: str
    name: str = ""
    states: Mapping[str, object] = field(default_factory=dict)
    is_mute: bool = False
