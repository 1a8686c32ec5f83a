"""The readers of the replies in one session: its client, and a person or agent at a shell.

Each reader has a `Composer`, because a reply omits what its reader knows. Events are reported once,
so the composer that reports them passes them on to those of the other readers.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from viewpoint_mcp.browser.client_workspace import Workspace
from viewpoint_mcp.caller import caller
from viewpoint_mcp.config.settings import Settings
from viewpoint_mcp.page.page import Page
from viewpoint_mcp.tools.reply.composer import Composer


class Readers:
    """The composers of one session, by the names of their readers."""

    def __init__(self, workspace: Workspace, settings: Settings) -> None:
        self._workspace = workspace
        self._settings = settings
        self._composers: dict[str, Composer] = {}

    @property
    def composer(self) -> Composer:
        """The composer for the reader of the current call; see `Caller.reader`."""
        reader = caller().reader
        composer = self._composers.get(reader)
        if composer is None:
            pass_on = partial(self._pass_on, reader)
            composer = Composer(self._workspace, self._settings, pass_on)
            self._composers[reader] = composer
        return composer

    def note_call(self, tool_name: str) -> None:
        """Note a call that changes something, for the readers who did not make it."""
        reader = caller().reader
        for name, composer in self._composers.items():
            if name != reader:
                composer.missed.add_call(reader, tool_name)

    def _pass_on(self, reader: str, pages: Sequence[Page], events: str) -> None:
        self._composers[reader].missed.note_reported(pages)
        for name, composer in self._composers.items():
            composer.missed.has_other_readers = len(self._composers) > 1
            if name != reader:
                composer.missed.add_events(events)
