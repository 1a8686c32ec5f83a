"""Parts of a list of saved files, which stay right while files come and go."""

from __future__ import annotations

import base64
from collections.abc import Sequence
from datetime import datetime
from typing import Annotated

import msgspec

from viewpoint_mcp.errors import CallError
from viewpoint_mcp.files.shelf import Entry


class _Place(msgspec.Struct, array_like=True, forbid_unknown_fields=True):
    """Where a page ended: what comes after it in the order of the shelf is on the next."""

    saved: Annotated[datetime, msgspec.Meta(tz=True)]
    uri: str


def page_of(
    entries: Sequence[Entry], cursor: str | None, size: int
) -> tuple[Sequence[Entry], str | None]:
    """Return the entries of one page, and the cursor of the next; None when there is none.

    Args:
        entries: All of them, as the shelf sorts them: newest first.
        cursor: That of the page; None for the first.
        size: How many are on a page.

    Raises:
        CallError: It is no cursor of ours.
    """
    if cursor is not None:
        end = _read(cursor)
        entries = [each for each in entries if (each.saved, each.uri) < (end.saved, end.uri)]
    page = entries[:size]
    return page, _written(page[-1]) if len(entries) > size else None


def _written(last: Entry) -> str:
    place = msgspec.json.encode(_Place(last.saved, last.uri))
    return base64.urlsafe_b64encode(place).decode("ascii")


def _read(cursor: str) -> _Place:
    try:
        place = base64.b64decode(cursor, altchars=b"-_", validate=True)
        return msgspec.json.decode(place, type=_Place)
    except ValueError as error:  # all that these two raise for what is not theirs
        raise CallError("This is no cursor that was given.", "Begin without one.") from error
