"""The errors and warnings of a console that no reply has reported yet, grouped by kind."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from viewpoint_mcp.page.console.console import ConsoleMessage

Kind = tuple[str, str, str, int]

_MAX_KINDS: Final = 10  # new kinds of errors that are kept for the next reply
_MAX_REPORTED_KINDS: Final = 500
_MAX_COMPARED: Final = 500  # characters of a text
_QUERY: Final = re.compile(r"[?#][^\s\"'()<>]*")
# A status distinguishes failures, so it is no such number.
_NUMBER_OR_ID: Final = re.compile(
    r"(?<!status of )(?:\b[0-9a-f]{8}[0-9a-f-]*\b|\d+)", re.IGNORECASE
)


@dataclass(slots=True)
class UnreportedError:
    """The errors of one kind.

    Attributes:
        first: The first one of them.
        count: How many there are.
    """

    first: ConsoleMessage
    count: int = 1


@dataclass(slots=True)
class ErrorReport:
    """The errors since the last reply.

    Attributes:
        new: The new kinds, up to a limit.
        further: Number of errors of further new kinds.
        repeated: Number of errors of kinds that an earlier reply has reported.
    """

    new: list[UnreportedError]
    further: int = 0
    repeated: int = 0


class UnreportedMessages:
    """The errors and warnings that no reply has reported yet.

    Two messages are of one kind if their texts and sources differ only in numbers, ids and query
    strings. A kind is reported once.
    """

    def __init__(self) -> None:
        self._errors: dict[Kind, UnreportedError] = {}
        self._warning_kinds: dict[Kind, None] = {}
        self._report = ErrorReport([])
        self._counts = {"error": 0, "warning": 0}
        self._reported: dict[Kind, None] = {}

    def add(self, message: ConsoleMessage) -> None:
        """Count an error or a warning; ignore other messages."""
        if message.level not in self._counts:
            return
        kind = _find_kind(message)
        if kind in self._reported:
            self._report.repeated += message.level == "error"
            return
        self._counts[message.level] += 1
        if message.level == "warning":
            self._warning_kinds[kind] = None
            _drop_oldest(self._warning_kinds)
        elif kind in self._errors:
            self._errors[kind].count += 1
        elif len(self._errors) < _MAX_KINDS:
            self._errors[kind] = UnreportedError(message)
        else:
            self._report.further += 1

    def reset_counts(self) -> None:
        """Forget the counts, because they are those of an earlier document."""
        self._counts = dict.fromkeys(self._counts, 0)

    def take_counts(self) -> tuple[int, int]:
        """Return the numbers of errors and warnings of new kinds since the last call."""
        counts = self._counts["error"], self._counts["warning"]
        self.reset_counts()
        for kind in self._warning_kinds:
            self._mark_reported(kind)
        self._warning_kinds.clear()
        return counts

    def take_errors(self, limit: int) -> ErrorReport:
        """Return the errors since the last call.

        Args:
            limit: Maximum number of new kinds. The others are new again the next time.
        """
        report = self._report
        for kind, error in self._errors.items():
            if len(report.new) < limit:
                report.new.append(error)
                self._mark_reported(kind)
            else:
                report.further += error.count
        self._errors, self._report = {}, ErrorReport([])
        return report

    def _mark_reported(self, kind: Kind) -> None:
        self._reported[kind] = None
        _drop_oldest(self._reported)


def _drop_oldest(kinds: dict[Kind, None]) -> None:
    if len(kinds) > _MAX_REPORTED_KINDS:
        del kinds[next(iter(kinds))]


def _find_kind(message: ConsoleMessage) -> Kind:
    text, url = (
        _NUMBER_OR_ID.sub("0", _QUERY.sub("", each[:_MAX_COMPARED]))
        for each in (message.text, message.url)
    )
    return message.level, text, url, message.line
