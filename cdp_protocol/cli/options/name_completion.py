"""Shell completion of protocol names, from the bundled description.

The shell runs it at every TAB, so it connects to no browser and imports few modules.
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
    """Complete the name of a CDP command, such as "Page.nav"."""
    description = _bundled()
    return _items(begun, description.commands(), description.command)


def events(
    _context: click.Context, _parameter: click.Parameter, begun: str
) -> list[CompletionItem]:
    """Complete a domain that has events or, after the dot, an event."""
    description = _bundled()
    if "." in begun:
        return _items(begun, description.events(), description.event)
    domains = dict.fromkeys(event.partition(".")[0] for event in description.events())
    return _items(begun, domains, description.domains.get)


def anything(
    _context: click.Context, _parameter: click.Parameter, begun: str
) -> list[CompletionItem]:
    """Complete a domain or, after the dot, a command, event or type."""
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
