"""Selection of events by domain, name or pattern."""

from __future__ import annotations

from collections.abc import Iterable
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING

from cdp_protocol.cli.run_command import CALLED_WRONGLY, Failure

if TYPE_CHECKING:
    from cdp_protocol.description import Description

HOLDS_REQUESTS = (
    "Fetch holds every request until somebody continues it, so to listen alone would stop the page."
    " Listen to Network, or write a script that answers Fetch.requestPaused."
)


def events(words: Iterable[str], description: Description) -> list[str]:
    """Return the names of the events that words select, without duplicates.

    Args:
        words: Domains, names or patterns: "Network", "Page.frameNavigated", "Network.*Received".
        description: The protocol description, which lists the events.

    Raises:
        Failure: A word selects no event, has a pattern as its domain, or selects events of Fetch.
    """
    known = description.events()
    found: dict[str, None] = {}
    for word in words:
        domain, dot, _ = word.partition(".")
        if set(domain) & set("*?["):
            raise Failure(
                f'"{word}" has no domain. Only the part behind the dot may be a pattern, as in'
                f" Network.*Received.{_domains(known)}",
                CALLED_WRONGLY,
            )
        pattern = word if dot else f"{domain}.*"
        matching = [each for each in known if fnmatchcase(each, pattern)]
        if not matching:
            raise Failure(_unknown(word, description), CALLED_WRONGLY)
        found |= dict.fromkeys(matching)
    if any(each.startswith("Fetch.") for each in found):
        raise Failure(HOLDS_REQUESTS, CALLED_WRONGLY)
    return list(found)


def _unknown(word: str, description: Description) -> str:
    if description.command(word) is not None:
        return f"{word} is a command, no event: it is sent, with `cdp send {word}`."
    if word in description.domains:
        return f"{word} has no events; `cdp help {word}` shows what it has."
    among = [*description.domains, *description.events()]
    near = " or ".join(description.suggest(word, among))
    said = f" Did you mean {near}?" if near else _domains(description.events())
    return f"{word} is no event or domain of {description.revision}.{said}"


def _domains(events: Iterable[str]) -> str:
    names = dict.fromkeys(event.partition(".")[0] for event in events)
    return f" Domains that have events: {', '.join(names)}."
