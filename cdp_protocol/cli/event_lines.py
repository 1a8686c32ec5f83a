"""How an event is printed: a line for people, or a JSON object for programs."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from cdp_protocol.cli import output
from cdp_protocol.sanitize.terminal import harmless

if TYPE_CHECKING:
    from cdp_protocol.session import Session

LONGEST_TEXT = 80  # characters of a text within a line for people
MOST_ITEMS = 4  # of a list there
SELDOM_READ = frozenset({"timestamp", "wallTime", "documentURL"})
LONGEST_LINE = 1000  # columns, where no terminal has fewer


class Heard(NamedTuple):
    """One event, when and by whom it was told."""

    time: datetime
    session: Session
    name: str
    params: Mapping[str, Any]

    @classmethod
    def now(cls, session: Session, name: str, params: Mapping[str, Any]) -> Heard:
        """An event that is told this moment."""
        return cls(datetime.now(UTC), session, name, params)

    def as_json(self) -> dict[str, Any]:
        """The event whole."""
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
        """The event in short, on one line.

        Args:
            width: Columns that it may take.
            colour: Whether time and name are told apart by colour.
        """
        clock = self.time.astimezone().strftime("%H:%M:%S.%f")[:-3]
        who = kind_of(self.session)
        if target := self.session.target_info.get("targetId"):
            who = f"{who} {target[:8]}"
        head = f"{clock}  {who}  {self.name}"
        told = sorted(self.params.items(), key=lambda field: _is_seldom_read(field[0]))
        fields = " ".join(f"{name}={_short(value)}" for name, value in told)
        line = output.cut(f"{head}  {harmless(fields)}".rstrip(), width or LONGEST_LINE)
        if not colour or len(line) < len(head):
            return line
        styled = f"{click.style(f'{clock}  {who}', dim=True)}  {click.style(self.name, fg='cyan')}"
        return styled + line[len(head) :]


def kind_of(session: Session) -> str:
    """What a session reaches: "page", "worker", "browser"."""
    return str(session.target_info.get("type") or ("target" if session.session_id else "browser"))


def _is_seldom_read(name: str) -> bool:
    """Whether a field goes to the end, where the terminal may cut it off."""
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
