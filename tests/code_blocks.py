"""The code blocks of the documentation, and the files that they describe."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
DOCUMENTS = [
    *sorted(ROOT.glob("*.md")),
    *sorted((ROOT / "docs").rglob("*.md")),
]

_FENCE = re.compile(
    r"^(?P<fence>`{3,})(?P<info>[^`\n]*)\n(?P<text>.*?)^(?P=fence)$", re.MULTILINE | re.DOTALL
)
_NAME = re.compile(r"`(?P<name>[\w./-]+)`:\s*\Z")
_FLAGS = re.compile(r"<!-- flags: (?P<flags>.*?) -->")
_LAUNCHED = "<!-- launches a browser -->"
_HEADING = re.compile(r"^## (.*)$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Block:
    """A fenced code block.

    Attributes:
        line: The line of the document on which the text of the block begins.
        language: The first word after the fence.
        marks: The other words.
        section: The heading of the second level above the block; "" for none.
        file: The name of the file that the block contains, if the line above is "`NAME`:".
    """

    document: Path
    line: int
    language: str
    marks: tuple[str, ...]
    text: str
    section: str
    file: str | None
    start: int
    end: int

    @property
    def is_tested(self) -> bool:
        return "notest" not in self.marks

    @property
    def place(self) -> str:
        return f"{self.document.relative_to(ROOT)}:{self.line}"


class Document:
    """A Markdown file.

    Args:
        path: The file.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.text = path.read_text(encoding="utf-8")

    @property
    def flags(self) -> str:
        """The flags of the server that gets the calls of the document."""
        found = _FLAGS.search(self.text)
        return found["flags"] if found else ""

    @property
    def launches(self) -> bool:
        """Whether that server must launch its browser, instead of using that of the tests."""
        return _LAUNCHED in self.text

    @cached_property
    def blocks(self) -> list[Block]:
        return list(self._find_blocks())

    @property
    def prose(self) -> str:
        """The text without its fenced blocks, with the same number of lines."""
        return _FENCE.sub(lambda found: "\n" * found[0].count("\n"), self.text)

    def _find_blocks(self) -> Iterator[Block]:
        for found in _FENCE.finditer(self.text):
            above = self.text[: found.start()]
            language, *marks = found["info"].split() or [""]
            headings = _HEADING.findall(above)
            name = _NAME.search(above)
            yield Block(
                document=self.path,
                line=above.count("\n") + 2,
                language=language,
                marks=tuple(marks),
                text=found["text"],
                section=headings[-1] if headings else "",
                file=name["name"] if name else None,
                start=found.start("text"),
                end=found.end("text"),
            )


def list_blocks() -> Iterator[Block]:
    """Yield the code blocks of all documents."""
    for path in DOCUMENTS:
        yield from Document(path).blocks
