"""The report of the findings, as a table for people and as JSON for scripts."""

from __future__ import annotations

import json
import textwrap
from collections.abc import Iterable, Iterator

import click

from viewpoint_mcp import __version__
from viewpoint_mcp.cli.doctor.check_runner import Findings
from viewpoint_mcp.cli.doctor.finding import Finding, Status

_WIDTH = 100
_COLORS = {Status.OK: "green", Status.NOTE: "yellow", Status.FAILED: "red"}
_STATUS_WIDTH = max(map(len, Status))


def has_failure(findings: Findings) -> bool:
    """Return whether any check failed."""
    return any(finding.status is Status.FAILED for _, finding in findings)


def render_json(findings: Findings) -> str:
    """Return the findings as JSON.

    The form is `{version, ok, checks: [{name, status, summary, details, fix}]}`. `details` is a
    list of lines; `fix` is null if nothing needs to be done. Later versions may add fields and
    checks, but never remove them or change their meaning.
    """
    checks = [
        {
            "name": name,
            "status": finding.status,
            "summary": finding.summary,
            "details": list(finding.details),
            "fix": finding.fix or None,
        }
        for name, finding in findings
    ]
    document = {"version": __version__, "ok": not has_failure(findings), "checks": checks}
    return json.dumps(document, indent=2)


def render_table(findings: Findings, *, is_colored: bool = False) -> str:
    """Return the findings as text, with the details and the fix of a check below its line."""
    width = max((len(name) for name, _ in findings), default=0)
    lines = [
        line for name, each in findings for line in _render_finding(name, each, width, is_colored)
    ]
    return "\n".join([f"viewpoint-mcp {__version__}", "", *lines, "", _render_total(findings)])


def _render_finding(name: str, finding: Finding, width: int, is_colored: bool) -> Iterator[str]:
    status = finding.status.ljust(_STATUS_WIDTH)
    if is_colored:
        status = click.style(status, fg=_COLORS.get(finding.status), bold=True)
    margin = " " * (_STATUS_WIDTH + width + 4)
    head, *rest = [
        *_wrap_lines([finding.summary], len(margin)),
        *_wrap_lines(finding.details, len(margin)),
    ]
    yield f"{status}  {name.ljust(width)}  {head}"
    yield from (margin + line for line in rest)
    if finding.fix:
        # Not wrapped: it may be a command to copy.
        yield f"{margin}-> {_replace_control_characters(finding.fix)}"


def _wrap_lines(texts: Iterable[str], margin: int) -> list[str]:
    return [
        line
        for text in texts
        for line in textwrap.wrap(
            _replace_control_characters(text),
            _WIDTH - margin,
            break_long_words=False,
            break_on_hyphens=False,
        )
        or [""]
    ]


def _replace_control_characters(text: str) -> str:
    """Replace control characters, which a terminal could interpret as escape sequences."""
    return "".join(char if char.isprintable() else " " for char in text)


def _render_total(findings: Findings) -> str:
    counted = [(status, sum(each.status is status for _, each in findings)) for status in Status]
    failures, notes = dict(counted)[Status.FAILED], dict(counted)[Status.NOTE]
    note_count = f"{notes} note{'' if notes == 1 else 's'}"
    return f"{failures} failed, {note_count}." if failures else f"Nothing failed, {note_count}."
