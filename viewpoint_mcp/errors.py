"""The errors of the server. Their messages are sentences for the agent.

    ViewpointError                      a message, a hint about the next step, and a code
    ├── BrowserError                    no browser is available: not found, not started, lost
    │   └── BrowserLostError            the browser exited, hung or disconnected during the call
    ├── PageError                       the page cannot do what the call asks for
    │   ├── NavigationError             a document was not loaded
    │   ├── PageChangedError            another document or no frame is there any more
    │   ├── PageClosedError             the page or its context was closed
    │   ├── PageCrashedError            the process of the page crashed
    │   ├── PageTimeoutError            the page did not answer, or a condition was not met in time
    │   ├── ScriptError                 the script of the agent threw an exception
    │   └── ModalOpenError              a dialog or file chooser waits for an answer
    ├── ElementError                    the element cannot be acted on
    │   ├── StaleRefError               the ref is unknown, or its element is gone or was reused
    │   │   ├── NoMatchError            a locator matches no element
    │   │   └── OtherPageRefError       the ref belongs to another tab or context
    │   ├── ElementNotVisibleError      no part of the element is visible or reachable
    │   ├── ElementCoveredError         another element would receive the click
    │   └── ElementDisabledError        the element accepts no input now
    ├── VerificationError               the page does not show what a test expects
    └── CallError                       invalid arguments
        ├── BlockedError                a file, URL or origin that the server's user did not allow
        └── DirectoryNotWritableError   a file with a generated name cannot be saved

CDP errors never leave `page` and `browser`. These packages translate them into the errors above.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Literal

ErrorCode = Literal[
    "action_failed",
    "blocked",
    "browser_gone",
    "browser_unavailable",
    "covered",
    "disabled",
    "handed_over",
    "internal_error",
    "invalid_argument",
    "modal_open",
    "navigation_failed",
    "not_found",
    "not_visible",
    "page_changed",
    "page_closed",
    "page_crashed",
    "page_failed",
    "script_failed",
    "stale_ref",
    "timeout",
    "tool_failed",
    "verification_failed",
]
"""The codes of failed calls, for programs. They never change; docs/errors.md explains them."""

TAKE_NEW_SNAPSHOT: Final = "Take a new snapshot."
"""The hint of errors after which the agent needs the current page. A reply that shows the page
omits it."""


class ViewpointError(Exception):
    """An expected failure. The client receives it as a tool result with `isError`.

    Args:
        message: The failure and its reason, in one or two sentences.
        hint: The next step, in one sentence; None if the message already contains it.

    Attributes:
        code: The kind of the failure, for programs. Each class declares its code.
    """

    code: ErrorCode = "tool_failed"

    def __init__(self, message: str, hint: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint

    def __str__(self) -> str:
        return f"{self.message} {self.hint}" if self.hint else self.message


class BrowserError(ViewpointError):
    """No browser is available: it was not found, did not start, or was lost."""

    code: ErrorCode = "browser_unavailable"


class BrowserLostError(BrowserError):
    """The browser exited, hung or disconnected during the call."""

    code: ErrorCode = "browser_gone"


class PageError(ViewpointError):
    """The page cannot do what the call asks for."""

    code: ErrorCode = "page_failed"


class NavigationError(PageError):
    """A document was not loaded, or the history has no entry to go to."""

    code: ErrorCode = "navigation_failed"


class PageChangedError(PageError):
    """The document or frame of the call was replaced or removed during the call."""

    code: ErrorCode = "page_changed"


class PageClosedError(PageError):
    """The page was closed, alone or with its context."""

    code: ErrorCode = "page_closed"


class PageCrashedError(PageError):
    """The process of the page crashed."""

    code: ErrorCode = "page_crashed"


class PageTimeoutError(PageError):
    """The page did not answer in time, or a condition was not met in time."""

    code: ErrorCode = "timeout"


class ScriptError(PageError):
    """The script of the agent threw an exception."""

    code: ErrorCode = "script_failed"


class ModalOpenError(PageError):
    """A dialog or a file chooser blocks the page until it is answered."""

    code: ErrorCode = "modal_open"


class HandedOverError(PageError):
    """A person acts on the page, so no tool does."""

    code: ErrorCode = "handed_over"


class ElementError(ViewpointError):
    """The element cannot be acted on, or did not do what the action asks for."""

    code: ErrorCode = "action_failed"


class StaleRefError(ElementError):
    """The ref names no element of the page, or the page reused its element for other content.

    Args:
        facts: Additional lines, such as a description of the element that the ref named.
        printed_element: Role and name of the element that the ref was printed for; None if unknown.
        group_texts: Texts that distinguished the element in its row, list item or card.

    Attributes:
        similar_elements: Similar elements of the current page, as a snapshot prints them. The reply
            layer adds them, because it can take a snapshot.
    """

    code: ErrorCode = "stale_ref"

    def __init__(
        self,
        message: str,
        hint: str | None = None,
        *,
        facts: Sequence[str] = (),
        printed_element: tuple[str, str] | None = None,
        group_texts: Sequence[str] = (),
    ) -> None:
        super().__init__(message, hint)
        self.facts = facts
        self.printed_element = printed_element
        self.group_texts = group_texts
        self.similar_elements: Sequence[str] = ()

    def __str__(self) -> str:
        return _render_error(self, self.facts, self.similar_elements)


class NoMatchError(StaleRefError):
    """A locator or selector matches no element of the page."""

    code: ErrorCode = "not_found"


class OtherPageRefError(StaleRefError):
    """The ref belongs to another page than the page of the call.

    Args:
        context_number: The `c` component of the ref.
        page_number: The `p` component of the ref.
    """

    def __init__(
        self, message: str, hint: str | None = None, *, context_number: int, page_number: int
    ) -> None:
        super().__init__(message, hint)
        self.context_number = context_number
        self.page_number = page_number


class ElementNotVisibleError(ElementError):
    """No part of the element is visible or reachable."""

    code: ErrorCode = "not_visible"


class ElementCoveredError(ElementError):
    """Another element would receive the click."""

    code: ErrorCode = "covered"


class ElementDisabledError(ElementError):
    """The element accepts no input now."""

    code: ErrorCode = "disabled"


class VerificationError(ViewpointError):
    """The page does not show what a test expects.

    Attributes:
        facts: Lines about what it shows instead.
        similar_elements: Similar elements of the page, as a snapshot prints them.
    """

    code: ErrorCode = "verification_failed"

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.facts: Sequence[str] = ()
        self.similar_elements: Sequence[str] = ()

    def __str__(self) -> str:
        return _render_error(self, self.facts, self.similar_elements)


class CallError(ViewpointError):
    """The call is invalid: its arguments are wrong or do not fit the state of the browser."""

    code: ErrorCode = "invalid_argument"


class BlockedError(CallError):
    """The file, URL or origin is not allowed, or the person did not agree to the call.

    Only the user who started the server, or the person, can allow it.
    """

    code: ErrorCode = "blocked"


class DirectoryNotWritableError(CallError):
    """The directory for files with generated names cannot be written to."""

    code: ErrorCode = "tool_failed"


def _render_error(
    error: ViewpointError, facts: Sequence[str], similar_elements: Sequence[str]
) -> str:
    """Return the message, the facts, the list of elements and the hint, each on lines of its own.

    Without facts and elements, return message and hint on one line.
    """
    if not facts and not similar_elements:
        return ViewpointError.__str__(error)
    lines = [error.message, *facts]
    if similar_elements:
        lines += ["Similar elements on the page now:", *(f"- {each}" for each in similar_elements)]
    return "\n".join([*lines, *([error.hint] if error.hint else ())])
