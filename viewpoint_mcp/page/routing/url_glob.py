"""Glob patterns for URLs, matched in linear time.

The syntax is that of Playwright: `*` matches any characters except `/`, `**` any characters, `**/`
any number of path segments, `{a,b}` alternatives, and a backslash escapes the next character. The
pattern must match the whole URL.

A regular expression would need polynomial time for patterns with several `**`, and pages choose
the URLs. So the pattern becomes a nondeterministic automaton, of which all states advance at once.
"""

from __future__ import annotations

import re
from typing import Final
from urllib.parse import quote

from viewpoint_mcp.errors import CallError

_ANY: Final = "any"
_NO_SLASH: Final = "no slash"
_MAX_LENGTH: Final = 2_000
_MAX_REMEMBERED_STEPS: Final = 20_000
_ABSOLUTE: Final = re.compile(r"(?P<scheme>[^/]*:)//(?P<authority>[^/?]*)(?P<rest>.*)", re.DOTALL)
_LITERAL_SCHEMES: Final = ("about:", "data:", "chrome:", "edge:", "file:")
_URL_BEGINNINGS: Final = ("http://", "https://", "file:///")
_DEFAULT_PORT: Final = {"http:": ":80", "https:": ":443"}
_KEPT_BY_QUOTE: Final = "".join(map(chr, range(0x21, 0x7F)))


class UrlGlob:
    """A glob pattern that URLs are matched with.

    Args:
        pattern: The pattern.

    Attributes:
        chromium_pattern: A pattern for CDP `Fetch.RequestPattern` that matches the same URLs and
            possibly more.

    Raises:
        CallError: The pattern is malformed.
    """

    def __init__(self, pattern: str) -> None:
        if not pattern:
            raise CallError("'pattern' is empty.", "Use ** to match every URL.")
        if len(pattern) > _MAX_LENGTH:
            raise CallError(f"'pattern' has more than {_MAX_LENGTH:,} characters.")
        self._edges: list[tuple[str, int] | None] = []
        self._empty_edges: list[list[int]] = []
        self._end = self._add_state()
        self._next_states: dict[tuple[int, str], int] = {}
        self._literals: list[list[str]] = [[]]
        self._parse(_normalize(pattern))
        self._first = self._with_empty_edges(1)
        self.chromium_pattern = self._make_chromium_pattern()

    def matches(self, url: str) -> bool:
        """Return whether the pattern matches the whole URL."""
        return bool(self._find_states(url) >> self._end & 1)

    @property
    def can_match(self) -> bool:
        """Whether the pattern matches the beginning of a URL that a page can request."""
        return any(map(self._find_states, _URL_BEGINNINGS))

    def _find_states(self, beginning: str) -> int:
        """Return the states after the beginning of a URL, as a bit set; 0 if it cannot match."""
        states = self._first
        for character in beginning:
            step = (states, character)
            following = self._next_states.get(step)
            if following is None:
                following = self._advance(states, character)
                if len(self._next_states) >= _MAX_REMEMBERED_STEPS:
                    self._next_states.clear()
                self._next_states[step] = following
            if not following:
                return 0
            states = following
        return states

    def _advance(self, states: int, character: str) -> int:
        following = 0
        for state, edge in enumerate(self._edges):
            if states >> state & 1 and edge is not None:
                label, target = edge
                if label in (character, _ANY) or (label == _NO_SLASH and character != "/"):
                    following |= 1 << target
        return self._with_empty_edges(following)

    def _with_empty_edges(self, states: int) -> int:
        """Return the states and those that they reach without a character, as a bit set."""
        pending = [state for state in range(len(self._edges)) if states >> state & 1]
        while pending:
            for target in self._empty_edges[pending.pop()]:
                if not states >> target & 1:
                    states |= 1 << target
                    pending.append(target)
        return states

    def _parse(self, pattern: str) -> None:
        position, group_start, group_ends = 0, -1, list[int]()
        while position < len(pattern):
            character = pattern[position]
            position += 1
            if character == "\\" and position < len(pattern):
                self._add_literal(pattern[position])
                position += 1
            elif character == "*":
                position = self._add_stars(pattern, position)
            elif character == "{":
                if group_start >= 0:
                    raise _malformed(pattern, "a '{' inside '{...}' is not supported")
                group_start, group_ends = self._end, []
                self._begin_alternative(group_start)
            elif character == "," and group_start >= 0:
                group_ends.append(self._end)
                self._begin_alternative(group_start)
            elif character == "}":
                if group_start < 0:
                    raise _malformed(pattern, "a '}' has no '{'")
                self._end_group([*group_ends, self._end])
                group_start = -1
            else:
                self._add_literal(character)
        if group_start >= 0:
            raise _malformed(pattern, "a '{' has no '}'")

    def _add_stars(self, pattern: str, position: int) -> int:
        """Add the stars before a position; return the position after what was added."""
        before = pattern[position - 2 : position - 1]
        start = position
        while pattern[position : position + 1] == "*":
            position += 1
        self._literals.append([])
        if position == start:
            self._add_loop(_NO_SLASH)
        elif pattern[position : position + 1] != "/":
            self._add_loop(_ANY)
        else:
            position += 1
            self._add_segments(may_be_none=before == "/")
        return position

    def _add_segments(self, *, may_be_none: bool) -> None:
        """Add `**/`: characters and a slash; after a slash, at least one character or nothing."""
        start = self._end
        if may_be_none:
            self._add_edge(_ANY)
        self._add_loop(_ANY)
        self._add_edge("/")
        if may_be_none:
            self._empty_edges[start].append(self._end)
        else:
            self._literals[-1].append("/")

    def _add_literal(self, character: str) -> None:
        self._literals[-1].append(character)
        self._add_edge(character)

    def _add_edge(self, label: str) -> None:
        before, self._end = self._end, self._add_state()
        self._edges[before] = (label, self._end)

    def _add_loop(self, label: str) -> None:
        before, loop, self._end = self._end, self._add_state(), self._add_state()
        self._empty_edges[before].append(loop)
        self._edges[loop] = (label, loop)
        self._empty_edges[loop].append(self._end)

    def _begin_alternative(self, group_start: int) -> None:
        self._literals.append([])
        self._end = self._add_state()
        self._empty_edges[group_start].append(self._end)

    def _end_group(self, ends: list[int]) -> None:
        self._literals.append([])
        self._end = self._add_state()
        for each in ends:
            self._empty_edges[each].append(self._end)

    def _add_state(self) -> int:
        self._edges.append(None)
        self._empty_edges.append([])
        return len(self._edges) - 1

    def _make_chromium_pattern(self) -> str:
        """Return the literal beginning and end of the pattern, with one star in between.

        Chromium's matching slows down with each further star.
        """
        first, *rest = ("".join(each) for each in self._literals)
        return f"{_escape(first)}*{_escape(rest[-1])}" if rest else _escape(first)


def _normalize(pattern: str) -> str:
    """Write an absolute pattern as Chromium writes URLs: lower-case host, a path, no default port.

    Source: WHATWG URL, section "URL serializing".
    """
    if pattern.startswith(("*", *_LITERAL_SCHEMES)):
        return pattern
    parts = _ABSOLUTE.fullmatch(pattern)
    if parts is None:
        return pattern
    scheme, authority, rest = parts["scheme"].lower(), parts["authority"].lower(), parts["rest"]
    authority = authority.removesuffix(_DEFAULT_PORT.get(scheme, "\0"))
    rest = rest if rest.startswith("/") else f"/{rest}"
    return f"{scheme}//{authority}{quote(rest, safe=_KEPT_BY_QUOTE)}"


def _escape(literal: str) -> str:
    return re.sub(r"[\\*?]", r"\\\g<0>", literal)


def _malformed(pattern: str, reason: str) -> CallError:
    return CallError(
        f"The pattern {pattern} is malformed: {reason}.",
        r"Escape a literal brace with a backslash, or use regex: true.",
    )
