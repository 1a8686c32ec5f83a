"""Formats of a printed event: a line for people, or a JSON object for programs."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from cdp_protocol.cli import output
from cdp_protocol.sanitize.terminal_escaping import escape_control_characters

if TYPE_CHECKING:
    from cdp_protocol.session import Session

MAX_TEXT_LENGTH = 80  # characters of a string in a line for people
MAX_ITEMS = 4  # of a list in such a line
MINOR_FIELDS = frozenset({"timestamp", "wallTime", "documentURL"})
MAX_LINE_LENGTH = 1000  # columns, if stdout is not a terminal


class ReceivedEvent(NamedTuple):
    """A received event, with the time of arrival and the session."""

    time: datetime
    session: Session
    name: str
    params: Mapping[str, Any]

    @classmethod
    def received_now(cls, session: Session, name: str, params: Mapping[str, Any]) -> ReceivedEvent:
        """Return an event that arrives now."""
        return cls(datetime.now(UTC), session, name, params)

    def as_json(self) -> dict[str, Any]:
        """Return the complete event as a JSON object."""
        target = self.session.target_info
        return {
            "time": self.time.strftime("%Y-%m-%dT%H:%M:%S.%fZ"),
            "session": self.session.session_id,
            "target": target.get("targetId", ""),
            "type": target_type(self.session),
            "method": self.name,
            "params": self.params,
        }

    def as_line(self, *, width: int | None, colour: bool) -> str:
        """Return the event on one line, cut to a width.

        Args:
            width: Maximum columns; None for `MAX_LINE_LENGTH`.
            colour: Whether to style the time, the target and the name of the event.
        """
        clock = self.time.astimezone().strftime("%H:%M:%S.%f")[:-3]
        target_text = target_type(self.session)
        if target := self.session.target_info.get("targetId"):
            target_text = f"{target_text} {target[:8]}"
        head = f"{clock}  {target_text}  {self.name}"
        sorted_fields = sorted(self.params.items(), key=lambda field: _is_printed_last(field[0]))
        fields = " ".join(f"{name}={_shorten(value)}" for name, value in sorted_fields)
        line = output.truncate(
            f"{head}  {escape_control_characters(fields)}".rstrip(), width or MAX_LINE_LENGTH
        )
        if not colour or len(line) < len(head):
            return line
        origin = click.style(f"{clock}  {target_text}", dim=True)
        return f"{origin}  {click.style(self.name, fg='cyan')}{line[len(head) :]}"


def target_type(session: Session) -> str:
    """Return the type of a session's target: "page", "worker", "browser"."""
    return str(session.target_info.get("type") or ("target" if session.session_id else "browser"))


def _is_printed_last(name: str) -> bool:
    """Return whether a field goes to the end of the line, where it may be cut off."""
    return name.endswith("Id") or name in MINOR_FIELDS


def _shorten(value: Any) -> str:
    match value:
        case str():
            text = value if len(value) <= MAX_TEXT_LENGTH else f"{value[:MAX_TEXT_LENGTH]}…"
            is_plain = text and text.isprintable() and not set(text) & set(" \"'{}[],")
            return text if is_plain else json.dumps(text, ensure_ascii=False)
        case Mapping():
            fields = ", ".join(f"{name}: {_shorten(each)}" for name, each in value.items())
            return f"{{{fields}}}"
        case list():
            items = [_shorten(each) for each in value[:MAX_ITEMS]]
            if len(value) > MAX_ITEMS:
                items.append(f"… {len(value) - MAX_ITEMS} more")
            return f"[{', '.join(items)}]"
    return json.dumps(value)
