"""The result of a check."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Status(StrEnum):
    """The status of a check. With a note the server works, but not as well as it could."""

    OK = "ok"
    NOTE = "note"
    FAILED = "failed"
    SKIPPED = "skipped"


@dataclass(frozen=True, slots=True)
class Finding:
    """The result of one check.

    Args:
        status: The status of the check.
        summary: The result in one line.
        details: Additional lines.
        fix: Advice, or a command to copy; "" if nothing needs to be done.
    """

    status: Status
    summary: str
    details: tuple[str, ...] = ()
    fix: str = ""


def ok_finding(summary: str, *details: str) -> Finding:
    """Return the finding of a check without problems."""
    return Finding(Status.OK, summary, details)


def note_finding(summary: str, *details: str, fix: str = "") -> Finding:
    """Return the finding of a check that passed with a remark."""
    return Finding(Status.NOTE, summary, details, fix)


def failed_finding(summary: str, *details: str, fix: str) -> Finding:
    """Return the finding of a check that failed."""
    return Finding(Status.FAILED, summary, details, fix)


def skipped_finding(summary: str) -> Finding:
    """Return the finding of a check that does not apply. The summary has the reason."""
    return Finding(Status.SKIPPED, summary)
