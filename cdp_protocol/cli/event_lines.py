"""Formats of a printed event: a line for people, or a JSON object for programs."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from cdp_protocol.cli import output
from cdp_protocol.sanitize.terminal import escape_control_characters

if TYPE_CHECKING:
    from cdp_protocol.session import Session

LONGEST_TEXT = 80  # characters of a string in a line for people
MOST_ITEMS = 4  # of a list in such a line
SELDOM_READ = frozenset({"timestamp", "wallTime", "documentURL"})
LONGEST_LINE = 1000  # columns, if stdout is not a terminal


class Heard(NamedTuple):
    """A received event, with the time of arrival and the session."""

    time: datetime
    session: Session
    name: str
    params: Mapping[str, Any]

    @classmethod
    def now(cls, session: Session, name: str, params: Mapping[str, Any]) -> Heard:
        """Return an event that arrives now."""
        return cls(datetime.now(UTC), session, name, params)

    def as_json(self) -> dict[str, Any]:
        """Return the complete event as a JSON object."""
        target = self.session.target_info
        return {
            "time": self.time.strftime("%Y-%m-%dT%H:%M:%S.%fZ"),
            "session": self.session.session_id,
            "target": target.get("targetId", ""),
            "type": kind_of(self.session),
            "method": self.name,
            "params": self.params,
        }

    def as_line(self, *, width: int | None, colour: bool) -> str:
        """Return the event on one line, cut to a width.

        Args:
            width: Maximum columns; None for `LONGEST_LINE`.
            colour: Whether to style the time, the target and the name of the event.
        """
        clock = self.time.astimezone().strftime("%H:%M:%S.%f")[:-3]
        who = kind_of(self.session)
        if target := self.session.target_info.get("targetId"):
            who = f"{who} {target[:8]}"
        head = f"{clock}  {who}  {self.name}"
        told = sorted(self.params.items(), key=lambda field: _is_seldom_read(field[0]))
        fields = " ".join(f"{name}={_short(value)}" for name, value in told)
        line = output.cut(
            f"{head}  {escape_control_characters(fields)}".rstrip(), width or LONGEST_LINE
        )
        if not colour or len(line) < len(head):
            return line
        styled = f"{click.style(f'{clock}  {who}', dim=True)}  {click.style(self.name, fg='cyan')}"
        return styled + line[len(head) :]


def kind_of(session: Session) -> str:
    """Return the type of a session's target: "page", "worker", "browser"."""
    return str(session.target_info.get("type") or ("target" if session.session_id else "browser"))


def _is_seldom_read(name: str) -> bool:
    """Return whether a field goes to the end of the line, where it may be cut off."""
    return name.endswith("Id") or name in SELDOM_READ


def _short(value: Any) -> str:
    match value:
        case str():
            text = value if len(value) <= LONGEST_TEXT else f"{value[:LONGEST_TEXT]}…"
            is_plain = text and text.isprintable() and not set(text) & set(" \"'{}[],")
            return text if is_plain else json.dumps(text, ensure_ascii=False)
        case Mapping():
            inner = ", ".join(f"{name}: {_short(each)}" for name, each in value.items())
            return f"{{{inner}}}"
        case list():
            shown = [_short(each) for each in value[:MOST_ITEMS]]
            if len(value) > MOST_ITEMS:
                shown.append(f"… {len(value) - MOST_ITEMS} more")
            return f"[{', '.join(shown)}]"
    return json.dumps(value)
