"""What a check found."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Status(StrEnum):
    """How a check went. A note is no failure: the server works, if not as it might."""

    OK = "ok"
    NOTE = "note"
    FAILED = "failed"
    SKIPPED = "skipped"


@dataclass(frozen=True, slots=True)
class Finding:
    """The outcome of one check; it has no name, which is the check's.

    Args:
        summary: What was found, one line.
        details: Further lines.
        fix: What to do, or a command to copy; "" when there is nothing to do.
    """

    status: Status
    summary: str
    details: tuple[str, ...] = ()
    fix: str = ""


def ok(summary: str, *details: str) -> Finding:
    """All is well."""
    return Finding(Status.OK, summary, details)


def note(summary: str, *details: str, fix: str = "") -> Finding:
    """It works, and something should be known."""
    return Finding(Status.NOTE, summary, details, fix)


def failed(summary: str, *details: str, fix: str) -> Finding:
    """It does not work."""
    return Finding(Status.FAILED, summary, details, fix)


def skipped(summary: str) -> Finding:
    """There was nothing to check; the summary says why."""
    return Finding(Status.SKIPPED, summary)
