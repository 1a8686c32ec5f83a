"""The product's own errors. Each is a sentence for the reader who must act on it.

    ViewpointError              message, and a hint that says what to do next
    ├── BrowserError            no browser, or not the one we had: not found, not started, gone
    │   └── BrowserGone         it died, hangs or let go of us in the middle of the call
    ├── PageError               a page that cannot do what was asked: crashed, closed, not loading
    │   └── ModalOpen           a dialog or file chooser waits for an answer
    ├── ElementError            an element that cannot be acted on
    │   ├── StaleRef            the ref is unknown, or its element is gone or is another's now
    │   │   └── OtherPage       the ref belongs to another tab or context
    │   ├── NotVisible          nothing of the element can be seen or reached
    │   ├── Covered             another element would receive the click
    │   └── Disabled            the element takes no input now
    └── CallError               the call itself is wrong: arguments, files, URLs that may not be
    used

CDP errors never leave `page` and `browser`: they are translated there into one of these.
"""

from __future__ import annotations

from collections.abc import Sequence


class ViewpointError(Exception):
    """An expected failure, told to the client as a tool result with `isError`.

    Args:
        message: What was wrong and what was expected, one or two sentences.
        hint: What to do next, one sentence; left out when the message says it already.
    """

    def __init__(self, message: str, hint: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint

    def __str__(self) -> str:
        return f"{self.message} {self.hint}" if self.hint else self.message


class BrowserError(ViewpointError):
    """There is no browser, or it is not the one we had."""


class BrowserGone(BrowserError):
    """The browser died, hangs or let go of us in the middle of the call."""


class PageError(ViewpointError):
    """The page cannot do what was asked."""


class ModalOpen(PageError):
    """A dialog or a file chooser stops the page until it is answered."""


class ElementError(ViewpointError):
    """The element cannot be acted on."""


class StaleRef(ElementError):
    """The ref does not name an element of the page, or its element is another's now.

    Args:
        facts: Lines that say more, such as what the ref was.
        sought: Role and name of what it stood for, as far as they are known.
        beside: Texts that distinguished it in its row, list item or card.

    Attributes:
        near: Elements of the page that may be meant instead, as a snapshot prints them; whoever
            can look at the page adds them.
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
    """The ref belongs to another page than the one that the call acts on.

    Args:
        context: The `c` component of the ref.
        page: Its `p` component.
    """

    def __init__(self, message: str, hint: str | None = None, *, context: int, page: int) -> None:
        super().__init__(message, hint)
        self.context = context
        self.page = page


class NotVisible(ElementError):
    """Nothing of the element can be seen or reached."""


class Covered(ElementError):
    """Another element would receive the click."""


class Disabled(ElementError):
    """The element takes no input now."""


class CallError(ViewpointError):
    """The call itself is wrong: its arguments, or a file or URL it may not use."""
