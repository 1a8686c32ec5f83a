"""The comparison of what a call gives to a site with what other sites have shown."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import NamedTuple

from viewpoint_mcp.tools.guards.outflow.canonical_text import canonicalize
from viewpoint_mcp.tools.guards.outflow.decoding import (
    Reading,
    decode_piece,
    read_in_all_ways,
    unescape,
)
from viewpoint_mcp.tools.guards.outflow.shown_texts import Match, ShownText, ShownTexts
from viewpoint_mcp.tools.guards.outflow.sinks import Sink
from viewpoint_mcp.tools.guards.outflow.sites import find_origin, find_site
from viewpoint_mcp.tools.guards.outflow.split_texts import (
    Piece,
    SplitTexts,
    list_url_pieces,
)

MAX_OWN_MEMORY = 50_000
"""Characters of the agent's own words that are remembered."""

_URL = re.compile(r"https?://[^\s\"'<>`]+", re.IGNORECASE)


class Finding(NamedTuple):
    """A text of one site that a call gives to another.

    Attributes:
        text: The text as the page has it, or the value of the secret.
        is_secret: Whether it is a secret that was typed on the first site.
        source: The origin of the first site.
        destination: The origin of the other site.
        encoding: How the text was hidden; "" if it was not.
    """

    text: str
    is_secret: bool
    source: str
    destination: str
    encoding: str


class Comparison:
    """The memory of one client, and the comparison of outgoing texts with it."""

    def __init__(self) -> None:
        self._shown = ShownTexts()
        self._split = SplitTexts()
        self._own_words: deque[str] = deque()
        self._own_size = 0

    def add_shown(self, url: str, text: str, *, is_secret: bool = False) -> None:
        """Remember what a page showed, or a secret that was typed on it."""
        site = find_site(url)
        if site is not None and text:
            text = text if is_secret else f"{url}\n{text}"
            self._shown.add(ShownText(site, find_origin(url), text, is_secret))

    def add_given(self, sinks: Iterable[Sink]) -> None:
        """Remember what a call gave to sites: pieces, and the words that no site has shown."""
        for sink in sinks:
            site = find_site(sink.destination)
            for piece in _list_pieces(sink):
                self._split.add(site or "", piece)
            words = canonicalize(unescape(sink.text))
            if next(self._shown.find(Reading(words, "")), None) is None:
                self._own_words.append(words)
                self._own_size += len(words)
        while self._own_size > MAX_OWN_MEMORY:
            self._own_size -= len(self._own_words.popleft())

    def find(self, sinks: Iterable[Sink]) -> Finding | None:
        """Return the first text that a call would give to another site; None for none."""
        for sink in sinks:
            site = find_site(sink.destination)
            if site is None:
                continue
            for match in self._find_matches(sink, site):
                if match.source.site != site and not self._is_harmless(match, sink, site):
                    destination = find_origin(sink.destination)
                    source = match.source
                    return Finding(
                        match.find_original(),
                        source.is_secret,
                        source.origin,
                        destination,
                        match.encoding,
                    )
        return None

    def forget_pieces(self, sinks: Iterable[Sink]) -> None:
        """Forget the pieces that were given to sites, because they were reported."""
        for sink in sinks:
            self._split.clear(find_site(sink.destination) or "")

    def _find_matches(self, sink: Sink, site: str) -> Iterator[Match]:
        for reading in read_in_all_ways(sink.text):
            yield from self._shown.find(reading)
        for text, is_decoded in self._list_joined_texts(sink, site):
            readings = [Reading(canonicalize(text), "")] if is_decoded else read_in_all_ways(text)
            for reading in readings:
                for match in self._shown.find(reading, is_joined=True):
                    yield replace(
                        match, encoding=f"split{', ' * bool(match.encoding)}{match.encoding}"
                    )

    def _list_joined_texts(self, sink: Sink, site: str) -> Iterator[tuple[str, bool]]:
        """Yield the texts that the pieces of a sink make, and whether they were decoded."""
        pieces = _list_pieces(sink)
        for kind in ("query ", "path ") if sink.is_url else ():
            parts = [each.text for each in pieces if each.slot.startswith(kind) and not each.way]
            if len(parts) > 1:
                yield "".join(parts), False
        for piece in pieces:
            joined, count = self._split.join(site, piece)
            if count > 1:
                yield joined, bool(piece.way)

    def _is_harmless(self, match: Match, sink: Sink, site: str) -> bool:
        """Return whether a match gives nothing away.

        The other site has shown the text itself; or the agent had it before any page showed it; or
        it is a part of an address that the first site has shown.
        """
        if self._shown.has_shown(site, match.canonical):
            return True
        if match.source.is_secret:
            return False
        if any(match.canonical in words for words in self._own_words):
            return True
        return any(
            match.canonical in canonical and self._shown.has_shown(match.source.site, canonical)
            for canonical in _list_addresses(sink.text)
        )


def _list_pieces(sink: Sink) -> list[Piece]:
    """Return the pieces of a sink, also decoded one by one and reversed."""
    if sink.is_url:
        pieces = [piece for piece in list_url_pieces(sink.text) if piece.text]
    elif sink.is_piece:
        pieces = [Piece("typed", sink.text)]
    else:
        return []
    return [
        *pieces,
        *(Piece(each.slot, text, way) for each in pieces for way, text in decode_piece(each.text)),
    ]


def _list_addresses(text: str) -> Iterator[str]:
    """Yield the URLs in a text, and the URLs within them, in their canonical forms."""
    for url in {*_URL.findall(text), *_URL.findall(unescape(text))}:
        yield canonicalize(unescape(url))
        rest = url.find("http", 4)
        if rest > 0:
            yield canonicalize(unescape(url[rest:]))
