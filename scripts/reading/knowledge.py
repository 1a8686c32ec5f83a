"""What an agent knows when it plans its next calls: the task, and the replies so far."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import cast

from scripts.reading.steps import Locator, Step

QUOTED = re.compile(r'"([^"]*)"')
ESCAPE = re.compile(r"\\[bBdDsSwW]|\(\?\w+\)|\{[\d,]+\}")
PLAIN_PART = re.compile(r"[\w,:' -]{3,}")
LONG_WORD = re.compile(r"\w{4,}")


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

    def find_known_word(self, step: Step) -> str | None:
        """Return the longest text that an agent knows of what a step looks for."""
        targets = step.targets
        patterns = [each.plain_name or each.name for each in targets] or step.values.get("facts")
        texts = [text for one in cast("list[str]", patterns or []) for text in split_pattern(one)]
        known = [text for text in texts if text.casefold() in self._text]
        return max(known, key=len, default=None)


def split_pattern(pattern: str) -> Iterator[str]:
    """Yield the texts of a pattern without its operators, and then their words."""
    for text in PLAIN_PART.findall(ESCAPE.sub(" . ", pattern)):
        yield text.strip()
        yield from LONG_WORD.findall(text)


def find_words(named: Locator | Step) -> Iterator[str]:
    """Yield the names in a locator; the text or path that a step names."""
    if isinstance(named, Locator):
        yield named.name
        yield from QUOTED.findall(named.container)
    elif named.action in {"open", "wait", "wait_gone"}:
        yield str(named.values.get("path") or named.values["text"])
