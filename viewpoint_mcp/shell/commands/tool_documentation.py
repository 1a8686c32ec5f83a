"""The documentation of tools and arguments in the source.

A tool's function has it in its docstring, after the first paragraph, which clients receive. An
argument has it in the string below its field. If a field has none, the string below the type of its
annotation in `viewpoint_mcp/tools/core/args.py` documents it.
"""

from __future__ import annotations

import ast
import inspect
import sys
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import msgspec

from viewpoint_mcp.tools.core import args as shared
from viewpoint_mcp.tools.core.args import Args
from viewpoint_mcp.tools.core.tool import Tool


def paragraphs_of(tool: Tool[Any]) -> list[str]:
    """Return the paragraphs of a tool's documentation, each on one line."""
    docstring = inspect.getdoc(tool.function) or ""
    return [" ".join(paragraph.split()) for paragraph in docstring.split("\n\n")[1:]]


def arguments_of(args_type: type[Args], prefix: str = "") -> dict[str, str]:
    """Return the documentation of each argument by its path, such as `fields[].name`.

    An argument without documentation has "".
    """
    texts = {"context": shared_types()["ContextName"]}  # `page_tool` adds it
    for base in reversed(args_type.__mro__):
        if issubclass(base, Args):
            texts |= _field_texts(base.__module__, base.__name__)
    found: dict[str, str] = {}
    for field in msgspec.structs.fields(args_type):
        path = f"{prefix}{field.encode_name}"
        found[path] = texts.get(field.name, "")
        for separator, inner in inner_structs(field.type):
            found |= arguments_of(inner, f"{path}{separator}.")
    return found


def inner_structs(kind: Any) -> Iterator[tuple[str, type[Args]]]:
    """Yield the structs in the type of a field: "" and a struct, or "[]" and that of a list.

    A field with free keys names the struct that documents them as `documented_by`.
    """
    if isinstance(kind, type) and issubclass(kind, Args):
        yield "", kind
    for each in getattr(kind, "__metadata__", ()):
        if isinstance(each, msgspec.Meta) and each.extra and "documented_by" in each.extra:
            yield "", each.extra["documented_by"]
    is_list = getattr(kind, "__origin__", None) is list
    for inner in getattr(kind, "__args__", ()):
        for separator, struct in inner_structs(inner):
            yield "[]" if is_list else separator, struct


@cache
def shared_types() -> Mapping[str, str]:
    """Return the documentation of the types of arguments that several tools share."""
    return {
        statement.targets[0].id: text
        for statement, text in _documented(_parse(shared.__name__).body)
        if isinstance(statement, ast.Assign) and isinstance(statement.targets[0], ast.Name)
    }


@cache
def _field_texts(module: str, name: str) -> Mapping[str, str]:
    """Return the documentation of the fields that a class of a module defines itself."""
    tree = _parse(module)
    aliases = _aliases(tree)
    texts = {}
    for node in tree.body:
        if isinstance(node, ast.ClassDef) and node.name == name:
            for field, text in _documented(node.body):
                if isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name):
                    texts[field.target.id] = text or _shared_text(field.annotation, aliases)
    return texts


def _documented(body: Sequence[ast.stmt]) -> Iterator[tuple[ast.stmt, str]]:
    """Yield each statement with the string below it, on one line; "" for none."""
    for statement, following in zip(body, [*body[1:], None], strict=True):
        text = ""
        match following:
            case ast.Expr(value=ast.Constant(value=str(string))):
                text = " ".join(string.split())
        yield statement, text


def _shared_text(annotation: ast.expr, aliases: Mapping[str, str]) -> str:
    """Return the documentation of the first shared type in an annotation; "" for none."""
    for node in ast.walk(annotation):
        if isinstance(node, ast.Name) and (text := shared_types().get(aliases.get(node.id, ""))):
            return text
    return ""


def _aliases(tree: ast.Module) -> dict[str, str]:
    """Return the names that a module uses for the shared types, with the names of the types."""
    return {
        alias.asname or alias.name: alias.name
        for node in tree.body
        if isinstance(node, ast.ImportFrom) and node.module == shared.__name__
        for alias in node.names
    }


@cache
def _parse(module: str) -> ast.Module:
    path = sys.modules[module].__file__
    assert path is not None
    return ast.parse(Path(path).read_text(encoding="utf-8"))
