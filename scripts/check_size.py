"""Checks the size limits: 15 files in a folder, 400 lines in a file, 40 lines in a function.

Generated files are exempt (their first line says so), and so are data tables (they have no
function). `__init__.py`, `__main__.py` and `conftest.py` do not count as files of a folder. A
function is counted from its name to its end, without its docstring.
"""

from __future__ import annotations

import ast
import re
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FOLDERS = ("viewpoint_mcp", "cdp_protocol", "scripts", "tests")
FOLDER_LIMIT = 15
FILE_LIMIT = 400
FUNCTION_LIMIT = 40
NOT_COUNTED = {"__init__.py", "__main__.py", "conftest.py"}

JS_FUNCTION = re.compile(
    r"^(?P<indent> *)(?:export |const |async |static |get |set )*"
    r"(?:function\*? +)?(?P<name>[\w$#]+) *(?:= *(?:async *)?)?\([^;]*\{$"
)
JS_KEYWORDS = {"if", "for", "while", "switch", "catch", "return", "with"}


def main() -> int:
    files = list(sources())
    complaints = [*check_folders(files), *(each for path in files for each in check(path))]
    print("\n".join(complaints) or "Sizes are within the limits.")
    return 1 if complaints else 0


def sources() -> Iterator[Path]:
    """Yield the hand-written source files."""
    for folder in FOLDERS:
        for path in sorted((ROOT / folder).rglob("*")):
            if path.suffix in {".py", ".js"} and "generated" not in first_line(path).lower():
                yield path


def first_line(path: Path) -> str:
    with path.open(encoding="utf-8") as file:
        return file.readline()


def check_folders(files: Iterable[Path]) -> Iterator[str]:
    """Yield one sentence for each folder with too many files."""
    counts = Counter(path.parent for path in files if path.name not in NOT_COUNTED)
    for folder, count in sorted(counts.items()):
        if count > FOLDER_LIMIT:
            name = folder.relative_to(ROOT)
            yield f"{name}: {count} files; group them, the limit is {FOLDER_LIMIT}"


def check(path: Path) -> Iterator[str]:
    """Yield one sentence for each limit that the file exceeds."""
    text = path.read_text(encoding="utf-8")
    functions = list(python_functions(text) if path.suffix == ".py" else js_functions(text))
    lines = text.count("\n")
    name = path.relative_to(ROOT)
    if functions and lines > FILE_LIMIT:
        yield f"{name}: {lines} lines; split it, the limit is {FILE_LIMIT}"
    for function, line, length in functions:
        if length > FUNCTION_LIMIT:
            yield f"{name}:{line}: {function} has {length} lines; the limit is {FUNCTION_LIMIT}"


def python_functions(text: str) -> Iterator[tuple[str, int, int]]:
    """Yield name, first line and length of each function."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            end = node.end_lineno or node.lineno
            yield node.name, node.lineno, end - node.lineno + 1 - docstring_lines(node)


def docstring_lines(node: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    first = node.body[0]
    if ast.get_docstring(node, clean=False) is None:
        return 0
    return (first.end_lineno or first.lineno) - first.lineno + 1


def js_functions(text: str) -> Iterator[tuple[str, int, int]]:
    """Yield name, first line and length of each named function; it ends at its own indentation."""
    lines = text.splitlines()
    for start, line in enumerate(lines):
        match = JS_FUNCTION.match(line)
        if match is None or match["name"] in JS_KEYWORDS:
            continue
        closing = re.compile(rf"^{match['indent']}\}}")
        end = next((n for n in range(start + 1, len(lines)) if closing.match(lines[n])), start)
        yield match["name"], start + 1, end - start + 1


if __name__ == "__main__":
    sys.exit(main())
