"""Snapshots: the accessibility tree of a page, the refs of its elements, and its YAML text."""

from __future__ import annotations
