"""Reads replies as a strict reader of their grammar would, and refuses what a page has forged.

It shares no code with the server. What is in quotes, after the colon of a snapshot's line, or in a
place that belongs to the page as a whole, is text of the page. Everything else is a
statement of the server, and must not contain text of the page.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from collections.abc import Set as AbstractSet
from typing import Final

from tests.hostile_texts import CANARY, FORGED_REF
from tests.snapshot_reader import Printed, read_snapshot

SECTIONS: Final = (
    *("Context", "Error", "Result", "Ran Playwright code", "Open tabs", "Page", "Modal state"),
    *("Snapshot", "Events"),
)
_QUOTED: Final = re.compile(r'"(?:[^"\\]|\\.)*"')
_MARK: Final = re.compile(
    r"^( *- '?)<(?:added|changed|moved|removed|replaced)> (?:\d+ × )?", re.MULTILINE
)
_FENCE: Final = re.compile(r" {0,3}(`{3,}(?!.*`)|~{3,})")
_TAB: Final = re.compile(
    r"- \d+: (?:\(current\) )?\[(?:[^\]\\]|\\.|\](?!\())*\]\(\S*?\)"
    r"( \[crashed\])?( \[dialog open\])?"
)
_STATE: Final = re.compile(
    r"- (Page (URL|Title|status): |Console: |HTTP status: |\d webmcp tools? available on the page )"
)
_EVENT: Final = re.compile(
    r"- (Console error|Navigated to|Popup opened as tab \d+|Downloaded file|The download of file"
    r"|\d+ (more )?console errors?|The page|Ref e\d+ was|File )"
)


class ForgedReplyError(AssertionError):
    """The page could write a part of the reply."""


def read_reply(text: str) -> dict[str, str]:
    """Return the text of each section, by its heading.

    Raises:
        ForgedReplyError: A character is invisible, or a heading is unknown, repeated or out of
            order.
    """
    check_characters(text)
    sections: dict[str, str] = {}
    title = ""
    for line in text.splitlines():
        if line.startswith("###"):
            title = line.removeprefix("### ")
            order = [*sections, title]
            if title not in SECTIONS or order != sorted(set(order), key=SECTIONS.index):
                raise ForgedReplyError(f"forged heading {line!r} in:\n{text}")
            sections[title] = ""
        else:
            sections[title] = f"{sections.get(title, '')}{line}\n"
    return {title: body.removesuffix("\n") for title, body in sections.items()}


def check_characters(text: str) -> None:
    """Check that a text has no invisible character, and no line break but a line feed.

    Soft hyphens and private characters, which are no danger, and a carriage return before a line
    feed are permitted.

    Raises:
        ForgedReplyError: It has one.
    """
    text = text.replace("\r\n", "\n")
    for character in set(text) - set("\n\t\u00ad\u200c\u200d"):
        is_tag = 0xE0000 <= ord(character) < 0xE1000
        if is_tag or unicodedata.category(character) in ("Cc", "Cf", "Cs", "Zl", "Zp"):
            raise ForgedReplyError(f"U+{ord(character):04X} in:\n{text!r}")
    if re.search("[\u200c\u200d\ufe00-\ufe0f]{3}|[\u3164\u115f\u034f]", text):
        raise ForgedReplyError(f"invisible characters in:\n{text!r}")


def check_sentence(text: str) -> None:
    """Check that the text of the page is in quotes, so that the rest is the server's.

    Raises:
        ForgedReplyError: Some of it is not.
    """
    rest = _QUOTED.sub("", text)
    if CANARY in rest or "\n" in text:
        raise ForgedReplyError(f"text of the page outside of quotes: {rest!r} of {text!r}")


def read_elements(snapshot: str, refs: AbstractSet[str] | None = None) -> list[Printed]:
    """Return the elements and texts of a snapshot, of matches, or of changes without their marks.

    Args:
        snapshot: YAML without the fence.
        refs: The refs of the elements that the page has; None for all but `FORGED_REF`.

    Raises:
        ForgedReplyError: It is no valid YAML of a snapshot, or has an element with another ref.
    """
    try:
        elements = read_snapshot(_MARK.sub(r"\1", snapshot))
    except Exception as error:
        raise ForgedReplyError(f"no snapshot: {error}\n{snapshot}") from error
    for element in elements:
        found = re.search(r"\[ref=(\w+)\]", _QUOTED.sub("", element.attributes))
        if found and (found[1] == FORGED_REF if refs is None else found[1] not in refs):
            raise ForgedReplyError(f"forged element {element} in:\n{snapshot}")
    return elements


def count_marks(changes: str) -> int:
    """Return the number of lines with a mark of a diff."""
    return len(_MARK.findall(changes))


def read_fenced(section: str) -> str:
    """Return the YAML of a section with one code block.

    Raises:
        ForgedReplyError: It has not exactly one block, which ends where the fence does.
    """
    if section.splitlines().count("```") != 1 or section.splitlines().count("```yaml") != 1:
        raise ForgedReplyError(f"not one code block in:\n{section}")
    return section.partition("```yaml\n")[2].partition("\n```")[0]


def check_fences(text: str) -> None:
    """Check that a reader of Markdown finds all headings of a reply outside of code blocks.

    Raises:
        ForgedReplyError: A code block contains a heading, or does not end.
    """
    fence = ""
    for line in text.splitlines():
        if fence and re.fullmatch(rf" {{0,3}}{fence[0]}{{{len(fence)},}}[ \t]*", line):
            fence = ""
        elif not fence and (found := _FENCE.match(line)):
            fence = found[1]
        elif fence and line.startswith("###"):
            raise ForgedReplyError(f"the heading {line!r} is in a code block of:\n{text}")
    if fence:
        raise ForgedReplyError(f"a code block does not end in:\n{text}")


def check_lines(section: str, pattern: re.Pattern[str]) -> None:
    """Check that each line of a list of the server is one.

    Raises:
        ForgedReplyError: One does not match.
    """
    for line in section.splitlines():
        if not pattern.match(line):
            raise ForgedReplyError(f"forged line {line!r} in:\n{section}")


def check_state(sections: dict[str, str]) -> None:
    """Check the sections about the page and the browser, which no tool writes.

    Raises:
        ForgedReplyError: The page has forged one.
    """
    for line in sections.get("Open tabs", "").splitlines():
        if not _TAB.fullmatch(line):
            raise ForgedReplyError(f"forged tab {line!r}")
    check_lines(sections.get("Page", ""), _STATE)
    labels = [line.partition(":")[0] for line in sections.get("Page", "").splitlines()]
    if len(labels) != len(set(labels)):
        raise ForgedReplyError(f"forged state of the page: {sections['Page']}")
    check_lines(sections.get("Events", ""), _EVENT)
    for line in sections.get("Modal state", "").splitlines():
        check_sentence(line)


def find_strings(value: object) -> Iterator[str]:
    """Yield the strings in the structured content of a reply."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for each in value.values():
            yield from find_strings(each)
    elif isinstance(value, list):
        for each in value:
            yield from find_strings(each)
