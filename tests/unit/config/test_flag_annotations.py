"""Names and values that are derived from the declaration of a flag."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import pytest
from msgspec import Struct, field

from viewpoint_mcp.config.flag_annotations import (
    Flag,
    Heading,
    list_declarations,
    list_environment_variables,
    read_field_values,
)
from viewpoint_mcp.config.reply_content import SnapshotMode
from viewpoint_mcp.config.settings import Settings


def parse_pair(text: str) -> tuple[int, int]:
    first, second = text.split(",")
    return int(first), int(second)


class Inner(Struct, frozen=True):
    wait: Annotated[float, Flag("--wait", Heading.WAITING, "Milliseconds to wait.", scale=1000)] = (
        0.5
    )
    early: Annotated[
        bool | None, Flag("--early/--late", Heading.BROWSER, "When.", listed_after="--word")
    ] = None


class Outer(Struct, frozen=True, kw_only=True):
    pair: Annotated[
        tuple[int, int] | None, Flag("--pair", Heading.SERVER, "Two numbers.", parse=parse_pair)
    ] = None
    inner: Inner = field(default_factory=Inner)
    path: Annotated[Path | None, Flag("--a-path", Heading.BROWSER, "A path.")] = None
    word: Annotated[Literal["a", "b"], Flag("--word", Heading.BROWSER, "A letter.")] = "a"
    mode: Annotated[SnapshotMode, Flag("--mode", Heading.BROWSER, "A mode.")] = SnapshotMode.FULL
    ratio: Annotated[float, Flag("--ratio", Heading.BROWSER, "A ratio.", default_text="half")] = 0.5
    is_on: Annotated[bool, Flag("--is-on", Heading.BROWSER, "A switch.")] = False
    nothing: int = 1


DECLARED = {each.flag.name: each for each in list_declarations(Outer)}


def test_flags_are_listed_by_heading_as_declared_or_after_the_named_one() -> None:
    names = ["--a-path", "--word", "--early/--late", "--mode", "--ratio", "--is-on"]
    assert list(DECLARED) == [*names, "--wait", "--pair"]


@pytest.mark.parametrize(
    ("flag", "value_type", "choices", "help_text"),
    [
        ("--pair", str, (), "Two numbers."),
        ("--wait", int, (), "Milliseconds to wait. [500]"),
        ("--early/--late", bool, (), "When."),
        ("--a-path", Path, (), "A path."),
        ("--word", str, ("a", "b"), "A letter. [a]"),
        ("--mode", str, ("diff", "full", "file", "none"), "A mode. [full]"),
        ("--ratio", float, (), "A ratio. [half]"),
        ("--is-on", bool, (), "A switch."),
    ],
)
def test_type_choices_and_help_come_from_the_field(
    flag: str, value_type: type, choices: tuple[str, ...], help_text: str
) -> None:
    declaration = DECLARED[flag]
    assert (declaration.type_before_convert, declaration.choices) == (value_type, choices)
    assert declaration.help == help_text


def test_values_are_converted_to_the_type_of_the_field() -> None:
    assert DECLARED["--pair"].convert("1,2") == (1, 2)
    assert DECLARED["--wait"].convert(1500) == 1.5
    assert DECLARED["--mode"].convert("none") is SnapshotMode.NONE
    assert DECLARED["--word"].convert("b") == "b"


def test_flags_that_were_not_given_leave_the_default() -> None:
    values = dict.fromkeys((each.flag.parameter_name for each in DECLARED.values()), None)
    assert read_field_values(Outer, values) == {}
    assert read_field_values(Outer, {**values, "is_on": False, "a_path": Path("x")}) == {
        "is_on": False,
        "path": Path("x"),
    }
    assert read_field_values(Inner, {**values, "early": False}) == {"early": False}


def test_the_variable_with_the_projects_prefix_comes_first() -> None:
    assert list_environment_variables("--sandbox/--no-sandbox", "OTHER") == (
        "VIEWPOINT_MCP_SANDBOX",
        "PLAYWRIGHT_MCP_SANDBOX",
        "OTHER",
    )


def test_no_two_flags_of_the_settings_have_one_name() -> None:
    parameters = [each.flag.parameter_name for each in list_declarations(Settings)]
    assert len(parameters) == len(set(parameters))
