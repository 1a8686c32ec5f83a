"""Completion of the protocol's names in a shell, from the description that we bring along.

Run at every TAB, so it asks no browser and imports little.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from click.shell_completion import CompletionItem

if TYPE_CHECKING:
    import click

    from cdp_protocol.description import Description


def commands(
    _context: click.Context, _parameter: click.Parameter, begun: str
) -> list[CompletionItem]:
    """Complete a command: "Page.nav"."""
    description = _bundled()
    return _items(begun, description.commands(), description.command)


def events(
    _context: click.Context, _parameter: click.Parameter, begun: str
) -> list[CompletionItem]:
    """Complete a domain that has events, and once it has a dot, the event."""
    description = _bundled()
    if "." in begun:
        return _items(begun, description.events(), description.event)
    domains = dict.fromkeys(event.partition(".")[0] for event in description.events())
    return _items(begun, domains, description.domains.get)


def anything(
    _context: click.Context, _parameter: click.Parameter, begun: str
) -> list[CompletionItem]:
    """Complete a domain, and once it has a dot, its commands, events and types."""
    description = _bundled()
    if "." not in begun:
        return _items(begun, description.domains, description.domains.get)
    return [
        *_items(begun, description.commands(), description.command),
        *_items(begun, description.events(), description.event),
        *_items(begun, description.types(), description.type),
    ]


def _bundled() -> Description:
    from cdp_protocol.description import Description

    return Description.bundled()


def _items(begun: str, names: Iterable[str], spec: Any) -> list[CompletionItem]:
    wanted = begun.lower()
    return [
        CompletionItem(name, help=_first_sentence(spec(name)))
        for name in names
        if name.lower().startswith(wanted)
    ]


def _first_sentence(spec: Any) -> str:
    text = " ".join(str((spec or {}).get("description", "")).split())
    return text.partition(". ")[0].rstrip(".")
