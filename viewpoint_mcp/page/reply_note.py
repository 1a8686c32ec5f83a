"""The type of texts that page actions return for the reply of a tool."""

from __future__ import annotations

from typing import TypeAlias

ReplyNote: TypeAlias = str
"""A sentence or part of a sentence for the reply; "" if there is nothing to report."""
