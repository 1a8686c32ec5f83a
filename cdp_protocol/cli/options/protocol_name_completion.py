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


def complete_commands(
    _context: click.Context, _parameter: click.Parameter, prefix: str
) -> list[CompletionItem]:
    """Complete the name of a CDP command, such as "Page.nav"."""
    description = _load_bundled_description()
    return _matching_items(prefix, description.commands(), description.command)


def complete_events(
    _context: click.Context, _parameter: click.Parameter, prefix: str
) -> list[CompletionItem]:
    """Complete a domain that has events or, after the dot, an event."""
    description = _load_bundled_description()
    if "." in prefix:
        return _matching_items(prefix, description.events(), description.event)
    domains = dict.fromkeys(event.partition(".")[0] for event in description.events())
    return _matching_items(prefix, domains, description.domains.get)


def complete_names(
    _context: click.Context, _parameter: click.Parameter, prefix: str
) -> list[CompletionItem]:
    """Complete a domain or, after the dot, a command, event or type."""
    description = _load_bundled_description()
    if "." not in prefix:
        return _matching_items(prefix, description.domains, description.domains.get)
    return [
        *_matching_items(prefix, description.commands(), description.command),
        *_matching_items(prefix, description.events(), description.event),
        *_matching_items(prefix, description.types(), description.type),
    ]


def _load_bundled_description() -> Description:
    from cdp_protocol.description import Description

    return Description.bundled()


def _matching_items(prefix: str, names: Iterable[str], find_spec: Any) -> list[CompletionItem]:
    lowered = prefix.lower()
    return [
        CompletionItem(name, help=_first_description_sentence(find_spec(name)))
        for name in names
        if name.lower().startswith(lowered)
    ]


def _first_description_sentence(spec: Any) -> str:
    text = " ".join(str((spec or {}).get("description", "")).split())
    return text.partition(". ")[0].rstrip(".")
