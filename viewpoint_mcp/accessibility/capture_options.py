"""The options of a capture of the accessibility tree."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class CaptureOptions:
    """The options of a capture.

    Attributes:
        all_refs: Whether structural elements get refs as well.
        boxes: Whether to add each element's box, in CSS pixels of its frame's viewport.
        hidden: Whether to include invisible elements, marked as hidden.
    """

    all_refs: bool = False
    boxes: bool = False
    hidden: bool = False

    def for_walker(self) -> dict[str, object]:
        """Return the options of the walker, without the root."""
        return {"allRefs": self.all_refs, "boxes": self.boxes, "hidden": self.hidden}


DEFAULT_OPTIONS: Final = CaptureOptions()
