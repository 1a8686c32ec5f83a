"""The texts that replies have shown, by site, and the search for them in a reading.

Each text is stored in its canonical form, with an index of its specific tokens and of every eighth
run of twelve characters. A reading is searched at all of its positions. So a passage of nineteen
characters is found wherever it begins, with an eighth of the memory.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from viewpoint_mcp.tools.guards.outflow.canonical_text import (
    canonicalize,
    find_original,
    remove_snapshot_marks,
)
from viewpoint_mcp.tools.guards.outflow.decoding import Reading, unescape
from viewpoint_mcp.tools.guards.outflow.specific_tokens import (
    MIN_LENGTH,
    URL,
    find_specific_tokens,
)

MAX_MEMORY: Final = 300_000
"""Characters of shown texts that are remembered; the oldest are forgotten first."""

MIN_PASSAGE: Final = 64
"""Letters and digits of a passage, about a dozen words, that is reported."""

MIN_ENCODED_PASSAGE: Final = 20
"""Letters and digits of a passage that is reported if it was encoded or reversed."""

_RUN = 12
_STEP = 8
_MAX_BOUNDED_NUMBER = 8  # digits of a number that must not be a part of a longer one


@dataclass(eq=False, slots=True)
class ShownText:
    """A text that a reply showed, or a secret that was typed.

    Attributes:
        site: The site of the page.
        origin: The origin of the page, for messages.
        text: The text, without the marks of a snapshot.
        is_secret: Whether it is the value of a secret, which the model has not seen.
        canonical: Its canonical form, without its addresses.
        addresses: The canonical forms of the URLs in it.
        tokens: The canonical forms of its specific tokens.
    """

    site: str
    origin: str
    text: str
    is_secret: bool = False
    canonical: str = ""
    addresses: tuple[str, ...] = ()
    tokens: list[str] = field(default_factory=list)

    @property
    def size(self) -> int:
        """The characters that count towards `MAX_MEMORY`."""
        return len(self.text) + sum(map(len, self.addresses))


@dataclass(frozen=True, slots=True)
class Match:
    """A part of a reading that a site showed.

    Attributes:
        canonical: The part, in its canonical form.
        encoding: The encoding in which it was found; "" for none.
    """

    source: ShownText
    canonical: str
    encoding: str

    def find_original(self) -> str:
        """Return the part as the page has it."""
        at = self.source.canonical.find(self.canonical)
        return find_original(self.source.text, self.source.canonical, at, len(self.canonical))


class ShownTexts:
    """The texts that one client was shown."""

    def __init__(self) -> None:
        self._texts: deque[ShownText] = deque()
        self._tokens: dict[str, dict[str, ShownText]] = {}  # by their first characters
        self._runs: dict[str, ShownText] = {}
        self._size = 0

    def add(self, shown: ShownText) -> None:
        """Add a text, and forget the oldest texts if there are too many."""
        if not shown.is_secret:
            text = remove_snapshot_marks(shown.text[-MAX_MEMORY:])
            shown.addresses = tuple(map(canonicalize, map(unescape, URL.findall(text))))
            shown.text = URL.sub(" ", text)
        shown.canonical = canonicalize(shown.text)
        found = [shown.text] if shown.is_secret else find_specific_tokens(shown.text)
        shown.tokens = [token for each in found if len(token := canonicalize(each)) >= MIN_LENGTH]
        for token in shown.tokens:
            self._tokens.setdefault(token[:MIN_LENGTH], {}).setdefault(token, shown)
        for run in _list_runs(shown.canonical):
            self._runs.setdefault(run, shown)
        self._texts.append(shown)
        self._size += shown.size
        while self._size > MAX_MEMORY and len(self._texts) > 1:
            self._forget_oldest()

    def has_shown(self, site: str, canonical: str) -> bool:
        """Return whether a text or an address that a site showed contains a canonical text."""
        return any(
            canonical in each.canonical or any(canonical in url for url in each.addresses)
            for each in self._texts
            if each.site == site
        )

    def find(self, reading: Reading, *, is_joined: bool = False) -> Iterator[Match]:
        """Yield the parts of a reading that a site showed.

        Args:
            is_joined: Whether the reading was joined from pieces, so that a number in it may have
                other digits beside it.
        """
        yield from self._find_tokens(reading, is_joined)
        yield from self._find_passages(reading)

    def _find_tokens(self, reading: Reading, is_joined: bool) -> Iterator[Match]:
        text, tokens = reading.canonical, self._tokens
        last = len(text) - MIN_LENGTH + 1
        if last < 1 or tokens.keys().isdisjoint(_list_windows(text, MIN_LENGTH)):
            return
        for at in range(last):
            for token, source in tokens.get(text[at : at + MIN_LENGTH], {}).items():
                if text.startswith(token, at) and (
                    is_joined or not _is_part_of_number(text, at, token)
                ):
                    yield Match(source, token, reading.encoding)

    def _find_passages(self, reading: Reading) -> Iterator[Match]:
        text, runs = reading.canonical, self._runs
        minimum = MIN_ENCODED_PASSAGE if reading.encoding else MIN_PASSAGE
        last = len(text) - _RUN + 1
        if len(text) < minimum or runs.keys().isdisjoint(_list_windows(text, _RUN)):
            return
        at = 0
        while at < last:
            source = runs.get(text[at : at + _RUN])
            if source is None:
                at += 1
                continue
            start, end = _extend(text, at, source.canonical)
            if end - start >= minimum:
                yield Match(source, text[start:end], reading.encoding)
            at = max(end - _RUN + 1, at + 1)

    def _forget_oldest(self) -> None:
        oldest = self._texts.popleft()
        self._size -= oldest.size
        for token in oldest.tokens:
            known = self._tokens.get(token[:MIN_LENGTH], {})
            if known.get(token) is oldest:
                del known[token]
            if not known:
                self._tokens.pop(token[:MIN_LENGTH], None)
        for run in _list_runs(oldest.canonical):
            if self._runs.get(run) is oldest:
                del self._runs[run]


def _list_windows(text: str, length: int) -> Iterator[str]:
    """Return all parts of a text with a length. A call of `isdisjoint` loops over them in C."""
    count = len(text) - length + 1
    return map(text.__getitem__, map(slice, range(count), range(length, length + count)))


def _list_runs(canonical: str) -> Iterator[str]:
    return (canonical[at : at + _RUN] for at in range(0, len(canonical) - _RUN + 1, _STEP))


def _extend(text: str, at: int, source: str) -> tuple[int, int]:
    """Return the bounds of the longest part of a text around a run that a source contains."""
    there = source.find(text[at : at + _RUN])
    start, end = at, at + _RUN
    while start > 0 and there > 0 and text[start - 1] == source[there - 1]:
        start, there = start - 1, there - 1
    while end < len(text) and source.startswith(text[end], there + end - start):
        end += 1
    return start, end


def _is_part_of_number(text: str, at: int, token: str) -> bool:
    """Return whether a short number is only a part of a longer one in a text."""
    if len(token) > _MAX_BOUNDED_NUMBER or not token.isdigit():
        return False
    return text[at - 1 : at].isdigit() or text[at + len(token) :][:1].isdigit()
