"""The JavaScript dialogs of a page: the open dialog, and a prepared answer to the next one."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from cdp_protocol import CdpError, ProtocolError, Session
from viewpoint_mcp.page.blockers import Blockers, Dialog
from viewpoint_mcp.tasks import Tasks

if TYPE_CHECKING:
    from cdp_protocol.types.page import JavascriptDialogOpeningEvent

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Answer:
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
        note: Called with a sentence for the reply about each dialog with a prepared answer.
    """

    def __init__(self, session: Session, blockers: Blockers, note: Callable[[str], None]) -> None:
        self._session = session
        self._blockers = blockers
        self._note = note
        self._prepared: Answer | None = None
        self._answering = Tasks()

    def subscribe(self, session: Session) -> None:
        """Subscribe to the dialogs of a CDP session.

        Source: CDP `Page.javascriptDialogOpening`, `Page.javascriptDialogClosed`.
        """
        session.on(session.Page.javascriptDialogOpening, self._opening)
        session.on(session.Page.javascriptDialogClosed, lambda _: self._blockers.dialog_closed())

    def prepare(self, answer: Answer) -> None:
        """Prepare the answer to the next dialog. It is used once."""
        self._prepared = answer

    async def answer(self, dialog: Dialog, answer: Answer) -> None:
        """Answer the open dialog. Do nothing if it is already closed.

        Source: CDP `Page.handleJavaScriptDialog`.
        """
        text = dialog.default_prompt if answer.prompt_text is None else answer.prompt_text
        try:
            await self._session.Page.handleJavaScriptDialog(accept=answer.accept, promptText=text)
        except ProtocolError:
            log.debug("The dialog was gone before it was answered.", exc_info=True)
        # Chromium also sends an event when the dialog closes, but a wait may begin before it.
        if self._blockers.dialog is dialog:
            self._blockers.dialog_closed()

    async def close(self) -> None:
        """Cancel the prepared answers that are being sent. Idempotent."""
        await self._answering.close()

    def _opening(self, event: JavascriptDialogOpeningEvent) -> None:
        dialog = Dialog(event["type"], event["message"], event.get("defaultPrompt", ""))
        prepared, self._prepared = self._prepared, None
        if prepared is None:
            self._blockers.dialog_opened(dialog)
            return
        verb = "accepted" if prepared.accept else "dismissed"
        self._note(f"The {dialog} was {verb}, as told in advance")
        self._answering.start(self._answer_quietly(dialog, prepared))

    async def _answer_quietly(self, dialog: Dialog, answer: Answer) -> None:
        try:
            await self.answer(dialog, answer)
        except CdpError as error:
            log.warning("The prepared answer to a dialog did not arrive: %s", error)
