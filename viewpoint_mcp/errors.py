"""The errors of the server. Their messages are sentences for the agent.

    ViewpointError              a message, and a hint about the next step
    ├── BrowserError            no browser is available: not found, not started, lost
    │   └── BrowserGone         the browser exited, hung or disconnected during the call
    ├── PageError               the page failed: it crashed, was closed, did not load
    │   └── ModalOpen           a dialog or file chooser waits for an answer
    ├── ElementError            the element cannot be acted on
    │   ├── StaleRef            the ref is unknown, or its element is gone or was reused
    │   │   └── OtherPage       the ref belongs to another tab or context
    │   ├── NotVisible          no part of the element is visible or reachable
    │   ├── Covered             another element would receive the click
    │   └── Disabled            the element accepts no input now
    └── CallError               invalid arguments, or a file or URL that is not allowed

CDP errors never leave `page` and `browser`. These packages translate them into the errors above.
"""

from __future__ import annotations

from collections.abc import Sequence


class ViewpointError(Exception):
    """An expected failure. The client receives it as a tool result with `isError`.

    Args:
        message: The failure and its reason, in one or two sentences.
        hint: The next step, in one sentence; None if the message already contains it.
    """

    def __init__(self, message: str, hint: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint

    def __str__(self) -> str:
        return f"{self.message} {self.hint}" if self.hint else self.message


class BrowserError(ViewpointError):
    """No browser is available: it was not found, did not start, or was lost."""


class BrowserGone(BrowserError):
    """The browser exited, hung or disconnected during the call."""


class PageError(ViewpointError):
    """The page failed: it crashed, was closed, did not load, or did not answer."""


class ModalOpen(PageError):
    """A dialog or a file chooser blocks the page until it is answered."""


class ElementError(ViewpointError):
    """The element cannot be acted on."""


class StaleRef(ElementError):
    """The ref names no element of the page, or the page reused its element for other content.

    Args:
        facts: Additional lines, such as a description of the element that the ref named.
        sought: Role and name of the element that the ref named; None if unknown.
        beside: Texts that distinguished the element in its row, list item or card.

    Attributes:
        near: Similar elements of the current page, as a snapshot prints them. The reply layer adds
            them, because it can take a snapshot.
    """

    def __init__(
        self,
        message: str,
        hint: str | None = None,
        *,
        facts: Sequence[str] = (),
        sought: tuple[str, str] | None = None,
        beside: Sequence[str] = (),
    ) -> None:
        super().__init__(message, hint)
        self.facts = facts
        self.sought = sought
        self.beside = beside
        self.near: Sequence[str] = ()

    def __str__(self) -> str:
        if not self.facts and not self.near:
            return super().__str__()
        lines = [self.message, *self.facts]
        if self.near:
            lines += ["Near it are, on the page now:", *(f"- {each}" for each in self.near)]
        return "\n".join([*lines, *([self.hint] if self.hint else ())])


class OtherPage(StaleRef):
    """The ref belongs to another page than the page of the call.

    Args:
        context: The `c` component of the ref.
        page: The `p` component of the ref.
    """

    def __init__(self, message: str, hint: str | None = None, *, context: int, page: int) -> None:
        super().__init__(message, hint)
        self.context = context
        self.page = page


class NotVisible(ElementError):
    """No part of the element is visible or reachable."""


class Covered(ElementError):
    """Another element would receive the click."""


class Disabled(ElementError):
    """The element accepts no input now."""


class CallError(ViewpointError):
    """The call is invalid: wrong arguments, or a file or URL that is not allowed."""
