"""What settling can wait for, and the longest times that it does."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Kind = Literal["done", "events", "change", "still"]


@dataclass(frozen=True, slots=True)
class Limits:
    """The longest waits, in seconds.

    Attributes:
        navigation: From the start of a navigation to its load event.
        late_load: From DOMContentLoaded to the load event, which one slow picture can hold up for
            ever.
        requested: From the wish to navigate to its beginning; a link to another program never
            begins.
        requests: From the start of a request to its answer.
        late_requests: The same, in a new document that shows something: what it still asks for may
            be a long poll as well.
        following: For requests and what follows from them, all together: a page may ask for ever.
        still: For the document to come to rest after it changed.
        patience: For the first consequence, when script ran and nothing shows yet; and for a new
            document to show something.
        echo: For another change after one that a timer made: one step of several. All steps
            together get `patience`.
        popup: For a window that was asked for to open.
        download: From the start of a download to its end.
    """

    navigation: float = 60.0
    late_load: float = 5.0
    requested: float = 1.0
    requests: float = 5.0
    late_requests: float = 2.5
    following: float = 10.0
    still: float = 0.5
    patience: float = 0.5
    echo: float = 0.15
    popup: float = 1.0
    download: float = 5.0


@dataclass(frozen=True, slots=True)
class Want:
    """What to wait for, and until when.

    "events": anything the browser tells; "change": the document's next change; "still": its coming
    to rest.
    """

    kind: Kind
    until: float = 0.0


DONE = Want("done")


def want_since(start: float | None, kind: Kind, limit: float) -> Want | None:
    """Return what to wait for from `start` on; None where nothing began."""
    return None if start is None else Want(kind, start + limit)
