"""A route: the requests that it selects, and what happens to them."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from viewpoint_mcp.accessibility.search.regex_matcher import RegexMatcher
from viewpoint_mcp.accessibility.search.regex_search import Pattern
from viewpoint_mcp.errors import CallError
from viewpoint_mcp.page.routing.url_glob import UrlGlob

if TYPE_CHECKING:
    from cdp_protocol.types.network import ErrorReason

Header = tuple[str, str]

ABORT_REASONS: Final[Mapping[str, ErrorReason]] = MappingProxyType(
    {
        "failed": "Failed",
        "aborted": "Aborted",
        "accessdenied": "AccessDenied",
        "addressunreachable": "AddressUnreachable",
        "blockedbyclient": "BlockedByClient",
        "blockedbyresponse": "BlockedByResponse",
        "connectionaborted": "ConnectionAborted",
        "connectionclosed": "ConnectionClosed",
        "connectionfailed": "ConnectionFailed",
        "connectionrefused": "ConnectionRefused",
        "connectionreset": "ConnectionReset",
        "internetdisconnected": "InternetDisconnected",
        "namenotresolved": "NameNotResolved",
        "timedout": "TimedOut",
    }
)
"""Playwright's names of network errors, with CDP `Network.ErrorReason`."""

_TOKEN: Final = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")  # RFC 9110, section 5.6.2
_INVALID_VALUE: Final = re.compile(r"[\x00\r\n]")
# Chromium refuses a request that changes these, or ignores the change.
_FIXED: Final = re.compile(
    r"host|content-length|connection|keep-alive|te|trailer|transfer-encoding|upgrade|cookie2"
    r"|set-cookie|proxy-.*|sec-fetch-.*",
    re.IGNORECASE,
)
_NOT_REMOVABLE: Final = "accept-encoding"


@dataclass(frozen=True, slots=True, kw_only=True)
class RouteAction:
    """What a route does with a request. The first of these parts that is set decides.

    Args:
        abort_reason: Key of `ABORT_REASONS`: the request fails with this error.
        status: HTTP status of the response that the route gives.
        body: Body of that response.
        body_path: File of that body, as replies name it.
        content_type: Content-Type of that response.
        headers: Headers of that response; without a status, headers to set in the request.
        removed_headers: Names of headers to remove from the request.
    """

    abort_reason: str | None = None
    status: int | None = None
    body: bytes = b""
    body_path: str | None = None
    content_type: str | None = None
    headers: tuple[Header, ...] = ()
    removed_headers: tuple[str, ...] = ()

    @property
    def changes_headers(self) -> bool:
        """Whether the request goes on to the network with changed headers."""
        is_answered = self.abort_reason is not None or self.status is not None
        return not is_answered and bool(self.headers or self.removed_headers)


class Route:
    """The requests that a pattern selects, and the action on them.

    Args:
        pattern: The pattern as the client wrote it.
        matcher: Matches URLs with the pattern.

    Attributes:
        request_count: How many requests it has handled. Each hop of a redirect counts.
        failure: The sentence about a regular expression that took too long; such a route no longer
            matches anything.
    """

    def __init__(self, pattern: str, matcher: UrlGlob | RegexMatcher, action: RouteAction) -> None:
        self.pattern = pattern
        self.action = action
        self.request_count = 0
        self.failure: str | None = None
        self._matcher = matcher

    @classmethod
    async def make(cls, pattern: str, action: RouteAction, *, is_regex: bool) -> Route:
        """Make a route and check its pattern and headers.

        Args:
            is_regex: Whether the pattern is a regular expression (`x` or `/x/i`), which some part
                of the URL must match. Otherwise it is a glob pattern for the whole URL.

        Raises:
            CallError: The pattern or a header is malformed.
        """
        _check_headers(action)
        if not is_regex:
            return cls(pattern, UrlGlob(pattern), action)
        matcher = RegexMatcher(Pattern.parse(pattern))
        await matcher.start()
        return cls(pattern, matcher, action)

    @property
    def is_regex(self) -> bool:
        """Whether the pattern is a regular expression."""
        return isinstance(self._matcher, RegexMatcher)

    @property
    def can_match(self) -> bool:
        """Whether some URL may match the pattern; True if this is unknown."""
        return not isinstance(self._matcher, UrlGlob) or self._matcher.can_match

    @property
    def chromium_pattern(self) -> str:
        """A URL pattern of CDP `Fetch.RequestPattern` that selects these requests and more."""
        return self._matcher.chromium_pattern if isinstance(self._matcher, UrlGlob) else "*"

    async def matches(self, url: str) -> bool:
        """Return whether the route selects a URL.

        Raises:
            CallError: The regular expression took too long. The route no longer matches anything.
        """
        if isinstance(self._matcher, UrlGlob):
            return self._matcher.matches(url)
        if self.failure is not None:
            return False
        try:
            return await self._matcher.matches(url)
        except CallError as error:
            self.failure = error.message
            raise

    async def close(self) -> None:
        """End the process of a regular expression. Idempotent."""
        if isinstance(self._matcher, RegexMatcher):
            await self._matcher.close()


def parse_headers(lines: Sequence[str]) -> tuple[Header, ...]:
    """Parse headers of the form `Name: Value`.

    Raises:
        CallError: A line is malformed.
    """
    headers: list[Header] = []
    for line in lines:
        name, colon, value = line.partition(":")
        if not colon or not name.strip():
            raise CallError(f'Invalid header "{line}": expected "Name: Value".')
        headers.append((name.strip(), value.strip()))
    return tuple(headers)


def _check_headers(action: RouteAction) -> None:
    for name, value in action.headers:
        if not _TOKEN.fullmatch(name) or _INVALID_VALUE.search(value):
            raise CallError(
                f'Invalid header "{name}".',
                "A name has letters, digits and dashes; a value has no line break.",
            )
    if _INVALID_VALUE.search(action.content_type or ""):
        raise CallError("'contentType' has a line break.", "Give a type such as application/json.")
    if action.changes_headers:
        _check_request_headers(action)


def _check_request_headers(action: RouteAction) -> None:
    for name in (*(name for name, _ in action.headers), *action.removed_headers):
        is_kept = name in action.removed_headers and name.lower() == _NOT_REMOVABLE
        if is_kept or _FIXED.fullmatch(name):
            raise CallError(
                f"The request header {name} cannot be {'removed' if is_kept else 'changed'}, "
                "because Chromium sets it.",
                "Change another header, or give the response yourself with status and body.",
            )
