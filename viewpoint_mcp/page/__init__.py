"""One tab: its frames, its dialogs, what can be done in it and what that causes."""

from __future__ import annotations
