"""Check the project's prose for misspellings and for words that the glossary forbids.

    python scripts/check_prose.py               check everything
    python scripts/check_prose.py FILE...       check these files

The last column of each table in docs/glossary.md is the only list of forbidden words. A word in
backticks there is forbidden, in any case. If it begins with a capital, it is forbidden only as it
is written, which is at the start of a sentence.

The check reads Markdown pages, docstrings, comments, names of tests, and strings of the packages.
It skips text in backticks. codespell checks the spelling. docs/decisions/0043-prose-check.md gives
the reasons.
"""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Iterable, Iterator
from itertools import groupby
from pathlib import Path
from typing import NamedTuple

from markdown_it import MarkdownIt

ROOT = Path(__file__).resolve().parent.parent
GLOSSARY = ROOT / "docs" / "glossary.md"
FOLDERS = ("viewpoint_mcp", "cdp_protocol", "scripts", "tests", "docs")
PACKAGES = ("viewpoint_mcp", "cdp_protocol", "scripts")
NOT_MISSPELLED = "doubleclick,ot,wel"
CODESPELL = (sys.executable, "-m", "codespell_lib", "--ignore-words-list", NOT_MISSPELLED, "-")

_CODE = re.compile(r"(`+)[^`]+\1")
_HASH, _SLASHES = re.compile(r"\s*#+:? (.*)"), re.compile(r"\s*(?:// |/\*+ ?|\* )(.*)")
_COMMENT = {"": _HASH, ".js": _SLASHES, ".py": _HASH, ".sh": _HASH, ".toml": _HASH}
_TRAILING_HASH, _TRAILING_SLASHES = re.compile(r".*\S  #+ (.*)"), re.compile(r".*\S // (.*)")


class Passage(NamedTuple):
    """A piece of prose, and the line where it begins."""

    path: Path
    line: int
    text: str

    def complain(self, offset: int, message: str) -> str:
        """Return a message about the character at an offset of the text."""
        line = self.line + self.text.count("\n", 0, offset)
        return f"{self.path}:{line}: {message}"


def main(names: list[str]) -> int:
    """Print each mistake; return 1 if there is one."""
    paths = [Path(name) for name in names] or [path.relative_to(ROOT) for path in sources()]
    passages = [passage for path in paths for passage in passages_of(path)]
    words = forbidden_words(GLOSSARY.read_text(encoding="utf-8"))
    complaints = [*find_forbidden(passages, words), *find_misspellings(passages)]
    print("\n".join(complaints) or "The prose has no forbidden and no misspelled words.")
    return 1 if complaints else 0


def sources() -> Iterator[Path]:
    """Yield the files with prose, without generated code."""
    yield from (*sorted(ROOT.glob("*.md")), ROOT / "Makefile", ROOT / "pyproject.toml")
    for folder in FOLDERS:
        for path in sorted((ROOT / folder).rglob("*")):
            is_code = path.suffix in _COMMENT and path.is_file()
            if path.suffix == ".md" or (is_code and not _is_generated(path)):
                yield path


def _is_generated(path: Path) -> bool:
    return "generated" in path.read_text(encoding="utf-8")[:200].lower()


# ---------------------------------------------------------------- the prose of a file


def passages_of(path: Path) -> Iterator[Passage]:
    """Yield the prose of a file. Code in backticks is blank."""
    text = (ROOT / path).read_text(encoding="utf-8")
    if path.suffix == ".md":
        found = list(markdown_prose(text))
    else:
        found = list(comments(text, path.suffix))
    if path.suffix == ".py":
        found += python_prose(ast.parse(text), has_messages=path.parts[0] in PACKAGES)
    for line, passage in found:
        yield Passage(path, line, _CODE.sub(_blank, passage))


def _blank(code: re.Match[str]) -> str:
    return "`" + "\n" * code[0].count("\n") + "`"


def markdown_prose(text: str) -> Iterator[tuple[int, str]]:
    """Yield the paragraphs, headings and table cells of a page."""
    for token in MarkdownIt().enable("table").parse(text):
        if token.type == "inline" and token.map:
            yield token.map[0] + 1, token.content


def comments(text: str, suffix: str) -> Iterator[tuple[int, str]]:
    """Yield the comments of a module. Adjacent lines are one passage."""
    lines = list(enumerate(text.splitlines(), 1))
    trailing = _TRAILING_SLASHES if suffix == ".js" else _TRAILING_HASH
    for is_comment, group in groupby(lines, lambda line: bool(_COMMENT[suffix].match(line[1]))):
        found = [*group]
        if is_comment:
            yield found[0][0], "\n".join(_COMMENT[suffix].sub(r"\1", line) for _, line in found)
            continue
        for number, line in found:
            if match := trailing.match(line):
                yield number, match[1]


def python_prose(tree: ast.Module, *, has_messages: bool) -> Iterator[tuple[int, str]]:
    """Yield the docstrings, the names of tests and, in a module with messages, all sentences."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            if node.name.startswith("test_"):
                yield node.lineno, node.name[5:].replace("_", " ").capitalize()
        elif has_messages and isinstance(node, ast.Constant):
            yield node.lineno, _sentence(node)
        elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            yield node.lineno, "" if has_messages else _sentence(node.value)


def _sentence(node: ast.Constant) -> str:
    """Return the text of a string that can be a sentence; one with a backslash is a regex."""
    is_sentence = isinstance(node.value, str) and " " in node.value and "\\" not in node.value
    return str(node.value) if is_sentence else ""


# ---------------------------------------------------------------- the checks


def forbidden_words(glossary: str) -> list[tuple[re.Pattern[str], str]]:
    """Return a pattern for each forbidden word, and the term to write instead."""
    words = []
    for row in re.findall(r"^\|(.*)\|$", glossary, re.MULTILINE):
        first, *_, last = (cell.strip() for cell in row.split("|"))
        for word in re.findall(r"`([^`]+)`", last):
            spaced = r"\s+".join(map(re.escape, word.split()))
            flags = re.IGNORECASE if word.islower() else re.NOFLAG
            words.append((re.compile(rf"(?<![\w-]){spaced}(?![\w-])", flags), first))
    return words


def find_forbidden(
    passages: Iterable[Passage], words: Iterable[tuple[re.Pattern[str], str]]
) -> Iterator[str]:
    """Yield a message for each forbidden word."""
    for passage in passages:
        for pattern, instead in words:
            for match in pattern.finditer(passage.text):
                found = " ".join(match[0].split())
                yield passage.complain(match.start(), f'"{found}" is forbidden. Write: {instead}')


def find_misspellings(passages: Iterable[Passage]) -> Iterator[str]:
    """Yield the reports of codespell. It reads all prose at once, because its start takes long."""
    lines = [
        (passage, offset, line)
        for passage in passages
        for offset, line in enumerate(passage.text.split("\n"))
    ]
    text = "\n".join(line for _, _, line in lines)
    result = subprocess.run(CODESPELL, input=text, capture_output=True, text=True, check=False)
    for number, message in re.findall(r"^(\d+): (.*)", result.stdout, re.MULTILINE):
        passage, offset, _ = lines[int(number) - 1]
        yield f"{passage.path}:{passage.line + offset}: {message}"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
