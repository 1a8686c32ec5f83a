"""What an agent knows when it plans its next calls: the task, and the replies so far."""

from __future__ import annotations

import re
from collections.abc import Iterator

from scripts.reading.steps import Locator, Step

QUOTED = re.compile(r'"([^"]*)"')


class Knowledge:
    """The words that an agent has read. Case does not count."""

    def __init__(self, *texts: str) -> None:
        self._text = ""
        for text in texts:
            self.add(text)

    def add(self, text: str) -> None:
        """Remember a text."""
        self._text += f"{text.casefold()}\n"

    def has_words_of(self, named: Locator | Step) -> bool:
        """Return whether an agent can know the names in a locator, or what a step names.

        What it types or runs follows from its task. But a text to wait for, and an address, must
        have been in the task or in a reply.
        """
        return all(word.casefold() in self._text for word in find_words(named))


def find_words(named: Locator | Step) -> Iterator[str]:
    """Yield the names in a locator; the text or path that a step names."""
    if isinstance(named, Locator):
        yield named.name
        yield from QUOTED.findall(named.container)
    elif named.action in {"open", "wait", "wait_gone"}:
        yield str(named.values.get("path") or named.values["text"])
