"""The codes of failed calls: each error has one, and docs/errors.md explains each."""

from __future__ import annotations

import pkgutil
import re
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import get_args

import viewpoint_mcp
from viewpoint_mcp import errors
from viewpoint_mcp.errors import ErrorCode, ViewpointError
from viewpoint_mcp.tools.reply.error_reply import describe_exception

ERRORS_PAGE = Path(__file__).parents[2] / "docs/errors.md"
CODES = set(get_args(ErrorCode))


def find_subclasses(error_type: type[ViewpointError]) -> Iterator[type[ViewpointError]]:
    yield error_type
    for subclass in error_type.__subclasses__():
        yield from find_subclasses(subclass)


def import_all_modules() -> None:
    for module in pkgutil.walk_packages(viewpoint_mcp.__path__, "viewpoint_mcp."):
        if not module.name.endswith("__main__"):
            import_module(module.name)


def test_each_error_has_a_code_and_each_code_an_error() -> None:
    import_all_modules()
    codes = {error_type.code for error_type in find_subclasses(ViewpointError)}
    others = {
        describe_exception("browser_click", TimeoutError(), 1).code,
        describe_exception("browser_click", ValueError(), 1).code,
    }
    assert codes | others == CODES


def test_each_class_of_the_module_declares_its_code() -> None:
    in_module = [each for each in vars(errors).values() if isinstance(each, type)]
    error_types = [each for each in in_module if issubclass(each, ViewpointError)]
    inheriting = [each.__name__ for each in error_types if "code" not in vars(each)]
    assert inheriting == ["OtherPageRefError"]  # a stale ref for every caller


def test_the_documentation_lists_exactly_these_codes() -> None:
    text = ERRORS_PAGE.read_text()
    section = text.split("## Codes of failed calls\n")[1].split("\n## ")[0]
    listed = re.findall(r"^\| `(\w+)` \| .+ \| .+ \|$", section, re.MULTILINE)
    assert len(listed) == len(set(listed))
    assert set(listed) == CODES
