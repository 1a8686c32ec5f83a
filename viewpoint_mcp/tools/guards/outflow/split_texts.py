"""The texts that were given to a site in pieces, by several calls."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator
from typing import Final, NamedTuple
from urllib.parse import parse_qsl, unquote, urlsplit

from viewpoint_mcp.tools.guards.outflow.sites import find_subdomain

MAX_JOINED: Final = 400
"""Characters of the joined pieces that are remembered."""

_MAX_PIECE = 200  # a longer text is no piece
_MAX_SLOTS = 400


class Piece(NamedTuple):
    """A text that may be a piece of a longer one.

    Attributes:
        slot: The place where the site receives it: an argument of the query, a position in the
            path, or the fields of a page. Pieces in one place are joined.
        text: The text.
        way: The encoding that was removed from this piece alone; "" for none.
    """

    slot: str
    text: str
    way: str = ""


class SplitTexts:
    """The pieces that one client gave to sites."""

    def __init__(self) -> None:
        self._joined: OrderedDict[tuple[str, str, str], tuple[str, int]] = OrderedDict()

    def join(self, site: str, piece: Piece) -> tuple[str, int]:
        """Return the earlier pieces in a place with a new one, and the number of pieces."""
        before, count = self._joined.get((site, piece.slot, piece.way), ("", 0))
        return (before + piece.text)[-MAX_JOINED:], count + 1

    def add(self, site: str, piece: Piece) -> None:
        """Add a piece, and forget the places that were not used for longest."""
        place = (site, piece.slot, piece.way)
        if len(piece.text) > _MAX_PIECE:
            self._joined.pop(place, None)
            return
        self._joined[place] = self.join(site, piece)
        self._joined.move_to_end(place)
        if len(self._joined) > _MAX_SLOTS:
            self._joined.popitem(last=False)

    def clear(self, site: str) -> None:
        """Forget the pieces of a site, because they were reported."""
        for place in [each for each in self._joined if each[0] == site]:
            del self._joined[place]


def list_url_pieces(url: str) -> Iterator[Piece]:
    """Yield the parts of a URL that can carry a text; nothing if it is malformed."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return  # no browser opens it
    yield Piece("subdomain", find_subdomain(url))
    yield Piece("login", f"{parts.username or ''}{parts.password or ''}")
    for index, segment in enumerate(parts.path.split("/")):
        yield Piece(f"path {index}", unquote(segment))
    for name, value in parse_qsl(parts.query, keep_blank_values=True):
        yield Piece(f"query {name}", value)
        yield Piece("names of the query", name)
    yield Piece("fragment", unquote(parts.fragment))
