"""Where the server writes and reads files, what is remembered of them, and their upkeep."""

from __future__ import annotations
