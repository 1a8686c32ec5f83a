"""What ended a browser, and what was lost with it: the words for it, in one place."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from viewpoint_mcp.errors import BrowserGone, CallError, ViewpointError


@dataclass(frozen=True, slots=True)
class BrowserLoss:
    """The end of a browser that the agent did not ask for.

    Args:
        cause: A clause: "the browser had gone".
        contexts: The names of those whose cookies and storage are lost.
        is_attached: Whether the browser is the user's.
        downloads: The names of files that had not arrived.
    """

    cause: str
    contexts: Sequence[str]
    is_attached: bool
    downloads: Sequence[str] = ()

    def explain(self, error: ViewpointError) -> bool:
        """Have an error say what was lost; one of the call itself is left as it is.

        Returns:
            Whether it does now.
        """
        if isinstance(error, CallError):
            return False
        if not isinstance(error, BrowserGone):
            self.precede(error)
        next_call = "attaches to it anew" if self.is_attached else "starts it afresh"
        error.hint = f"{self._what} The next call {next_call}."
        return True

    def precede(self, error: ViewpointError) -> None:
        """Have an error begin with what ended the browser: there is no other one yet."""
        error.message = f"{_sentence(self.cause)} {error.message}"

    def news(self, *, is_over: bool, is_explained: bool = False) -> str:
        """What a reply tells of it.

        Args:
            is_over: Whether there is a browser again.
            is_explained: Whether an error has said what was lost.
        """
        how = "attached to anew" if self.is_attached else "started afresh"
        again = f" and was {how}" if is_over else ""
        told = _sentence(f"{self.cause}{again}")
        return told if is_explained else f"{told} {self._what}"

    @property
    def _what(self) -> str:
        names = ", ".join(f'"{name}"' for name in self.contexts)
        noun = "context" if len(self.contexts) == 1 else "contexts"
        storage = f"; the cookies and storage of the {noun} {names} are lost" if names else ""
        files = "".join(f" The download of file {name} was cut off." for name in self.downloads)
        return f"All refs are void{storage}.{files}"


def _sentence(clause: str) -> str:
    return f"{clause[0].upper()}{clause[1:]}."
