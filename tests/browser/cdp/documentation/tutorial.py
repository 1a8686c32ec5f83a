"""Reads documents such as docs/cdp.md: files, blocks of Python, and their documented output."""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Iterator
from contextlib import redirect_stdout
from dataclasses import dataclass, replace
from io import StringIO
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[4]
DOCUMENT = ROOT / "docs" / "cdp.md"

_FILE = re.compile(r"`site/(?P<name>[\w.]+)`:\n\n```\w+\n(?P<text>.*?)```\n", re.DOTALL)
_STEP = re.compile(r"^```python\n(.*?)^```\n(?:\n```text\n(.*?)^```\n)?", re.DOTALL | re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Step:
    """A block of Python and its output.

    Attributes:
        line: Its line in the document.
    """

    line: int
    code: str
    printed: str

    def with_address(self, address: str, there: str) -> Step:
        """The same with another address in its code."""
        return replace(self, code=self.code.replace(address, there))

    async def run(self, namespace: dict[str, Any]) -> str:
        """Run the block as the prompt of `python -m asyncio` does, and return its output."""
        flags = ast.PyCF_ALLOW_TOP_LEVEL_AWAIT
        lines = "\n" * (self.line - 1) + self.code
        code = compile(lines, str(DOCUMENT), "exec", flags=flags, dont_inherit=True)
        with redirect_stdout(StringIO()) as output:
            done = eval(code, namespace)
            if inspect.iscoroutine(done):
                await done
        return output.getvalue()


def read_section(title: str, document: Path = DOCUMENT) -> tuple[str, int]:
    """Return the text of a section, and the line that it begins on."""
    text = document.read_text(encoding="utf-8")
    start = text.index(f"\n## {title}\n") + 1
    end = text.find("\n## ", start)
    return text[start : end if end > 0 else None], text.count("\n", 0, start) + 1


def read_files(title: str) -> dict[str, str]:
    """Return the files that a section makes: name -> text."""
    text, _ = read_section(title)
    return {found["name"]: found["text"] for found in _FILE.finditer(text)}


def read_steps(title: str, document: Path = DOCUMENT) -> Iterator[Step]:
    """Yield the blocks of Python of a section."""
    text, first = read_section(title, document)
    for found in _STEP.finditer(text):
        line = first + text.count("\n", 0, found.start(1))
        yield Step(line, found[1], found[2] or "")
