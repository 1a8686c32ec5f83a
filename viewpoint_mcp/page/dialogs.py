"""The JavaScript dialogs of a page: the open dialog, and a prepared answer to the next one."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from cdp_protocol import CdpError, ProtocolError, Session
from viewpoint_mcp.background_tasks import BackgroundTasks
from viewpoint_mcp.page.blocking_conditions import BlockingConditions, Dialog

if TYPE_CHECKING:
    from cdp_protocol.types.page import JavascriptDialogOpeningEvent

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class DialogAnswer:
    """The answer to a dialog.

    Attributes:
        accept: Whether to accept the dialog. Otherwise it is dismissed.
        prompt_text: The text for a prompt; None for the default text of the prompt.
    """

    accept: bool
    prompt_text: str | None = None


class Dialogs:
    """Tracks and answers the dialogs of one page.

    Args:
        session: CDP session of the page.
        blockers: Notified of each dialog that waits for an answer.
        add_event: Called with a sentence for the reply about each dialog with a prepared answer.
    """

    def __init__(
        self, session: Session, blockers: BlockingConditions, add_event: Callable[[str], None]
    ) -> None:
        self._session = session
        self._blockers = blockers
        self._add_event = add_event
        self._prepared_answer: DialogAnswer | None = None
        self._tasks = BackgroundTasks()

    def subscribe(self, session: Session) -> None:
        """Subscribe to the dialogs of a CDP session.

        Source: CDP `Page.javascriptDialogOpening`, `Page.javascriptDialogClosed`.
        """
        session.on(session.Page.javascriptDialogOpening, self._on_dialog_opening)
        session.on(
            session.Page.javascriptDialogClosed, lambda _: self._blockers.note_dialog_closed()
        )

    def answer_next_dialog(self, answer: DialogAnswer) -> None:
        """Store the answer to the next dialog. It is used once."""
        self._prepared_answer = answer

    async def answer_dialog(self, dialog: Dialog, answer: DialogAnswer) -> None:
        """Answer the open dialog. Do nothing if it is already closed.

        Source: CDP `Page.handleJavaScriptDialog`.
        """
        text = dialog.default_prompt if answer.prompt_text is None else answer.prompt_text
        try:
            await self._session.Page.handleJavaScriptDialog(accept=answer.accept, promptText=text)
        except ProtocolError:
            log.debug("The dialog closed before it was answered.", exc_info=True)
        # Chromium also sends an event when the dialog closes, but a wait may begin before it.
        if self._blockers.dialog is dialog:
            self._blockers.note_dialog_closed()

    async def close(self) -> None:
        """Cancel the prepared answers that are being sent. Idempotent."""
        await self._tasks.close()

    def _on_dialog_opening(self, event: JavascriptDialogOpeningEvent) -> None:
        dialog = Dialog(event["type"], event["message"], event.get("defaultPrompt", ""))
        prepared, self._prepared_answer = self._prepared_answer, None
        if prepared is None:
            self._blockers.note_dialog_opened(dialog)
            return
        verb = "accepted" if prepared.accept else "dismissed"
        self._add_event(f"The {dialog} was {verb}, as prepared")
        self._tasks.start(self._send_prepared_answer(dialog, prepared))

    async def _send_prepared_answer(self, dialog: Dialog, answer: DialogAnswer) -> None:
        try:
            await self.answer_dialog(dialog, answer)
        except CdpError as error:
            log.warning("The prepared answer to a dialog failed: %s", error)
