"""The report of one side about an element."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class ElementReport:
    """The report of one side about an element. A role of "" means that the element is not in its
    tree.

    Attributes:
        around: The name of the nearest printed element around it that has one; "" for none.
        is_mute: Neither it nor anything in it has a name, a text or a value.
    """

    role: str
    name: str = ""
    states: Mapping[str, object] = field(default_factory=dict)
    around: str = ""
    is_mute: bool = False
