"""Draw a random sample of the project's prose and names, for a reader who does not know the code.

    python scripts/sample_prose.py               60 docstrings, 20 errors, 20 help texts, 100 names
    python scripts/sample_prose.py --seed 7      another sample
    python scripts/sample_prose.py --key         the same sample, with the place of each item

The reader writes down what each item means after one reading; a second person compares that with
the code. `docs/testing.md` has the results.
"""

from __future__ import annotations

import argparse
import ast
import random
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = ("viewpoint_mcp", "cdp_protocol")
SIZES = {"docstring": 60, "error": 20, "help": 20, "module": 50, "function": 50}
_HELP_CALLS = {"Flag": 2, "Meta": None}  # the position of the text; None if only a keyword has it

Function = ast.FunctionDef | ast.AsyncFunctionDef


class Item(NamedTuple):
    """A piece of prose or a name, and the place where it is."""

    kind: str
    text: str
    place: str


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--key", action="store_true", help="print the place of each item")
    options = parser.parse_args()
    items = [item for path in sources() for item in items_of(path)]
    print(f"seed {options.seed}")
    number = 0
    for kind, size in SIZES.items():
        candidates = sorted({item for item in items if item.kind == kind})
        sample = random.Random(options.seed).sample(candidates, min(size, len(candidates)))
        for item in sample:
            number += 1
            place = f" ({item.place})" if options.key else ""
            print(f"\n{number}. {kind}{place}: {item.text}")


def sources() -> Iterator[Path]:
    """Yield the hand-written modules."""
    for package in PACKAGES:
        for path in sorted((ROOT / package).rglob("*.py")):
            if "generated" not in path.read_text(encoding="utf-8")[:200].lower():
                yield path


def items_of(path: Path) -> Iterator[Item]:
    """Yield the docstrings, messages, help texts and names of one module."""
    name = path.relative_to(ROOT).with_suffix("").as_posix().replace("/", ".")
    if path.name not in {"__init__.py", "__main__.py"}:
        yield Item("module", name, name)
    for node, owner in _walk(ast.parse(path.read_text(encoding="utf-8")), ""):
        place = f"{path.relative_to(ROOT)}:{getattr(node, 'lineno', 1)}"
        yield from (Item(kind, text, place) for kind, text in _texts_of(node, owner, name))


def _walk(node: ast.AST, owner: str) -> Iterator[tuple[ast.AST, str]]:
    """Yield each node below this one, with the classes around it as `Outer.Inner.`."""
    for child in ast.iter_child_nodes(node):
        yield child, owner
        yield from _walk(
            child, f"{owner}{child.name}." if isinstance(child, ast.ClassDef) else owner
        )


def _texts_of(node: ast.AST, owner: str, module: str) -> Iterator[tuple[str, str]]:
    if isinstance(node, Function | ast.ClassDef):
        if docstring := ast.get_docstring(node):
            yield "docstring", f"{_signature(node, owner, module)}\n{docstring}"
        if isinstance(node, Function) and not node.name.startswith("__"):
            yield "function", _signature(node, owner, module)
    elif isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call) and node.exc.args:
        if text := _text(node.exc.args[0]):
            yield "error", " ".join([text, *map(_text, node.exc.args[1:])]).strip()
    elif isinstance(node, ast.Call) and (text := _help_text(node)):
        yield "help", text


def _signature(node: Function | ast.ClassDef, owner: str, module: str) -> str:
    if isinstance(node, ast.ClassDef):
        return f"class {owner}{node.name}, in {module}"
    result = f" -> {ast.unparse(node.returns)}" if node.returns is not None else ""
    return f"{owner}{node.name}({ast.unparse(node.args)}){result}, in {module}"


def _help_text(call: ast.Call) -> str:
    if not isinstance(call.func, ast.Name) or call.func.id not in _HELP_CALLS:
        return ""
    for keyword in call.keywords:
        if keyword.arg in {"description", "help"}:
            return _text(keyword.value)
    position = _HELP_CALLS[call.func.id]
    return _text(call.args[position]) if position is not None and position < len(call.args) else ""


def _text(node: ast.expr) -> str:
    """Return a message of the source, with the values in it as `{expression}`."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value if " " in node.value else ""
    if isinstance(node, ast.JoinedStr):
        return "".join(
            f"{{{ast.unparse(part.value)}}}" if isinstance(part, ast.FormattedValue) else _raw(part)
            for part in node.values
        )
    return ""


def _raw(part: ast.expr) -> str:
    return str(part.value) if isinstance(part, ast.Constant) else ""


if __name__ == "__main__":
    main()
