"""The cause and the consequences of a lost browser, and the sentences that report them."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass

from cdp_protocol import ConnectionLost
from viewpoint_mcp.errors import BrowserLostError, CallError, ViewpointError

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class BrowserLoss:
    """The end of a browser that the agent did not request.

    Args:
        cause: A clause: "the browser exited".
        contexts: Names of the contexts whose cookies and storage are lost.
        is_attached: Whether the browser was attached to, not launched.
        downloads: Names of files whose download was cut off.
        has_lost_emulation: Whether routes, or changes of the emulation, are lost.
    """

    cause: str
    contexts: Sequence[str]
    is_attached: bool
    downloads: Sequence[str] = ()
    has_lost_emulation: bool = False

    def explain_unless_call_error(self, error: ViewpointError) -> bool:
        """Add to an error what was lost with the browser. A `CallError` is left unchanged.

        Returns:
            Whether the error was changed.
        """
        if isinstance(error, CallError):
            return False
        if not isinstance(error, BrowserLostError):
            self.prepend_cause(error)
            error.code = BrowserLostError.code
        next_call = "attaches again" if self.is_attached else "starts it again"
        error.hint = f"{self._consequences} The next call {next_call}."
        return True

    def prepend_cause(self, error: ViewpointError) -> None:
        """Prepend the cause of the loss to an error, if no new browser has started yet."""
        error.message = f"{_make_sentence(self.cause)} {error.message}"

    def make_report(self, *, is_browser_running: bool, is_explained: bool = False) -> str:
        """Return the sentences that report the loss in a reply.

        Args:
            is_browser_running: Whether a browser runs again.
            is_explained: Whether an error has already reported what was lost.
        """
        how = "attached to again" if self.is_attached else "started again"
        again = f" and was {how}" if is_browser_running else ""
        report = _make_sentence(f"{self.cause}{again}")
        return report if is_explained else f"{report} {self._consequences}"

    @property
    def _consequences(self) -> str:
        names = ", ".join(f'"{name}"' for name in self.contexts)
        noun = "context" if len(self.contexts) == 1 else "contexts"
        storage = f"; the cookies and storage of the {noun} {names} are lost" if names else ""
        files = "".join(f" The download of file {name} was cut off." for name in self.downloads)
        changes = " Routes and changes of the emulation must be set again."
        emulation = changes if self.has_lost_emulation else ""
        return f"All refs are void{storage}.{emulation}{files}"


def log_loss(error: ConnectionLost) -> None:
    """Log that the connection to the browser was lost."""
    log.warning("The connection to the browser was lost: %s.", error.reason)


def _make_sentence(clause: str) -> str:
    return f"{clause[0].upper()}{clause[1:]}."
