"""Mouse and keyboard input to one page through its CDP session.

The package does not use pages, elements or refs.
"""

from __future__ import annotations

from viewpoint_mcp.input.dispatch import CdpSender
from viewpoint_mcp.input.drag import Drag
from viewpoint_mcp.input.keyboard import Keyboard
from viewpoint_mcp.input.keys import Combo, Key, Modifier, modifier_mask, parse_combo
from viewpoint_mcp.input.mouse import Button, Mouse

__all__ = [
    "Button",
    "CdpSender",
    "Combo",
    "Drag",
    "Key",
    "Keyboard",
    "Modifier",
    "Mouse",
    "modifier_mask",
    "parse_combo",
]
