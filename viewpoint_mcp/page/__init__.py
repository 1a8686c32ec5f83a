"""The page of one tab: its frames and dialogs, the actions on it, and their consequences."""

from __future__ import annotations
