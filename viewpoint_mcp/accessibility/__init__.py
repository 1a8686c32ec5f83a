"""Snapshots: the tree of what a page offers, the refs that name its elements, and its text."""

from __future__ import annotations
