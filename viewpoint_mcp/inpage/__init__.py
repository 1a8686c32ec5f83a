"""The JavaScript that runs in the isolated world of every frame, and its loader."""

from __future__ import annotations

from viewpoint_mcp.inpage.loader import KEPT, source, source_at_start

__all__ = ["KEPT", "source", "source_at_start"]
