"""The browser and its parts: finding, launching and attaching to it, contexts, tabs, storage."""

from __future__ import annotations
