"""The JavaScript that runs in the isolated world of every frame, and its bundle."""

from __future__ import annotations

from viewpoint_mcp.inpage.bundle import API_VARIABLE, build_bundle, build_document_start_script

__all__ = ["API_VARIABLE", "build_bundle", "build_document_start_script"]
