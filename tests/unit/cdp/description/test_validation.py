"""A wrong command is reported before it is sent, with the path and the expected value."""

from __future__ import annotations

from typing import Any

import pytest

from cdp_protocol.description import Description
from tests.unit.cdp.description.small import small

GOOD: list[dict[str, Any]] = [
    {"shape": {"width": 1}},
    {"shape": {"width": 2.0, "colour": "red", "parts": [{"width": 3, "parts": []}]}},
    {"shape": {"width": 1}, "scale": 1, "isFilled": False, "data": "AA==", "names": ["a"]},
    {"shape": {"width": -(2**31)}, "anything": None},
    {"shape": {"width": 1}, "anything": {"of": ["any", 1]}},
]


@pytest.mark.parametrize("params", GOOD)
def test_a_valid_command_has_no_problem(params: dict[str, Any]) -> None:
    assert small().problems("Paper.draw", params) == []


def test_a_command_without_parameters_may_have_null_parameters() -> None:
    assert small().problems("Paper.clear") == []


@pytest.mark.parametrize(
    ("method", "problem"),
    [
        ("Paper.dra", "Paper.dra is not a command of r1. Did you mean Paper.draw?"),
        ("paper.draw", "paper.draw is not a command of r1. Did you mean Paper.draw?"),
        ("Papre.draw", "Papre.draw is not a command of r1. Did you mean Paper.draw?"),
        ("draw", "draw is not a command of r1. Did you mean Paper.draw?"),
        ("Quite.different", "Quite.different is not a command of r1."),
        ("", " is not a command of r1."),
        ("Paper.drawn", "Paper.drawn is an event, not a command. Listen to it instead."),
    ],
)
def test_an_unknown_command_is_reported_with_suggestions(method: str, problem: str) -> None:
    assert small().problems(method, {}) == [problem]


@pytest.mark.parametrize(
    ("wrong", "problem"),
    [
        ({"scales": 2}, "scales is not a parameter of Paper.draw. Did you mean scale?"),
        ({"scale": "2"}, "scale must be a number, not a string."),
        ({"scale": None}, "scale must be a number, not null."),
        ({"scale": True}, "scale must be a number, not true."),
        ({"isFilled": 1}, "isFilled must be a boolean, not the number 1."),
        ({"data": 1}, "data must be a string (base64), not the number 1."),
        ({"names": "a"}, "names must be an array of string, not a string."),
        ({"names": ["a", 2]}, "names[1] must be a string, not the number 2."),
        ({"shape": 1}, "shape must be an object, Paper.Shape, not the number 1."),
        ({"shape": {}}, "shape.width is missing (a 32-bit integer)."),
        (
            {"shape": {"width": 1.5}},
            "shape.width must be a 32-bit integer, not the number 1.5.",
        ),
        (
            {"shape": {"width": 1 << 31}},
            "shape.width must be a 32-bit integer, not the number 2147483648.",
        ),
        (
            {"shape": {"width": float("inf")}},
            "shape.width must be a 32-bit integer, not the number inf.",
        ),
        (
            {"shape": {"width": 1, "color": "red"}},
            "shape.color is not a property of Paper.Shape. Did you mean colour?",
        ),
        (
            {"shape": {"width": 1, "colour": "gren"}},
            'shape.colour must be one of red, green, not "gren". Did you mean green?',
        ),
        (
            {"shape": {"width": 1, "colour": 7}},
            "shape.colour must be one of red, green, not the number 7.",
        ),
        (
            {"shape": {"width": 1, "parts": [{"width": 1}, {"width": []}]}},
            "shape.parts[1].width must be a 32-bit integer, not an array.",
        ),
    ],
)
def test_a_wrong_parameter_is_reported_with_its_path(wrong: dict[str, Any], problem: str) -> None:
    assert small().problems("Paper.draw", {"shape": {"width": 1}, **wrong}) == [problem]


def test_all_problems_are_reported_at_once() -> None:
    assert small().problems("Paper.draw", {"shap": 1, "scale": "2"}) == [
        "shap is not a parameter of Paper.draw. Did you mean shape?",
        "shape is missing (an object, Paper.Shape).",
        "scale must be a number, not a string.",
    ]


def test_string_values_are_not_reported_because_they_may_be_secret() -> None:
    (problem,) = small().problems("Paper.draw", {"shape": "hunter2"})

    assert "hunter2" not in problem


def test_parameters_that_are_no_object_are_reported() -> None:
    assert small().problems("Paper.clear", [1]) == [
        "The parameters of Paper.clear must be an object, not an array."
    ]


def test_a_type_that_the_description_lacks_is_not_judged() -> None:
    lacking = {"name": "draw", "parameters": [{"name": "shape", "$ref": "Shape"}]}
    description = Description("r1", [{"domain": "Paper", "commands": [lacking]}])

    assert description.problems("Paper.draw", {"shape": 1}) == []


@pytest.mark.parametrize(
    ("method", "params"),
    [
        ("Page.navigate", {"url": "about:blank"}),
        ("Fetch.enable", {"patterns": [{"urlPattern": "*", "requestStage": "Request"}]}),
        ("Input.dispatchMouseEvent", {"type": "mousePressed", "x": 1, "y": 2.5, "button": "left"}),
        ("Target.setAutoAttach", {"autoAttach": True, "waitForDebuggerOnStart": False}),
    ],
)
def test_commands_as_they_are_sent_every_day_have_no_problem(
    method: str, params: dict[str, Any]
) -> None:
    assert Description.bundled().problems(method, params) == []
