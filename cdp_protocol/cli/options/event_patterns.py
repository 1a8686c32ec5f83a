"""Selection of events by domain, name or pattern."""

from __future__ import annotations

from collections.abc import Iterable
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING

from cdp_protocol.cli.run_command import EXIT_USAGE, Failure

if TYPE_CHECKING:
    from cdp_protocol.description import Description

FETCH_REFUSAL = (
    "Fetch pauses each request until a client continues it, so listening alone would block the"
    " page. Listen to Network, or write a script that answers Fetch.requestPaused."
)


def select_events(words: Iterable[str], description: Description) -> list[str]:
    """Return the names of the events that words select, without duplicates.

    Args:
        words: Domains, names or patterns: "Network", "Page.frameNavigated", "Network.*Received".
        description: The protocol description, which lists the events.

    Raises:
        Failure: A word selects no event, has a pattern as its domain, or selects events of Fetch.
    """
    all_events = description.events()
    selected: dict[str, None] = {}
    for word in words:
        domain, dot, _ = word.partition(".")
        if set(domain) & set("*?["):
            raise Failure(
                f'"{word}" has no domain. Only the part after the dot may be a pattern, as in'
                f" Network.*Received.{_list_event_domains(all_events)}",
                EXIT_USAGE,
            )
        pattern = word if dot else f"{domain}.*"
        matching = [each for each in all_events if fnmatchcase(each, pattern)]
        if not matching:
            raise Failure(_unknown_event_message(word, description), EXIT_USAGE)
        selected |= dict.fromkeys(matching)
    if any(each.startswith("Fetch.") for each in selected):
        raise Failure(FETCH_REFUSAL, EXIT_USAGE)
    return list(selected)


def _unknown_event_message(word: str, description: Description) -> str:
    if description.command(word) is not None:
        return f"{word} is a command, not an event. Send it with `cdp send {word}`."
    if word in description.domains:
        return f"{word} has no events. See `cdp help {word}`."
    candidates = [*description.domains, *description.events()]
    similar = " or ".join(description.suggest(word, candidates))
    advice = f" Did you mean {similar}?" if similar else _list_event_domains(description.events())
    return f"{word} is not an event or domain of {description.revision}.{advice}"


def _list_event_domains(events: Iterable[str]) -> str:
    names = dict.fromkeys(event.partition(".")[0] for event in events)
    return f" Domains with events: {', '.join(names)}."
