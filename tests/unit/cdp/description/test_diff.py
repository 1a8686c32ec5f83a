"""Differences between two descriptions, down to the parameter."""

from __future__ import annotations

from typing import Any

import pytest

from cdp_protocol.description import Description, Json
from tests.unit.cdp.description.small import CLEAR, COLOUR, DRAW, DRAWN, OTHER, PAPER, SHAPE, small


def with_draw(**changes: Any) -> Description:
    return Description("r2", [{**PAPER, "commands": [{**DRAW, **changes}, CLEAR]}, OTHER])


def with_parameter(name: str, **changes: Any) -> Description:
    fields = [{**each, **changes} if each["name"] == name else each for each in DRAW["parameters"]]
    return with_draw(parameters=fields)


def test_the_same_protocol_has_no_drift() -> None:
    assert small().drift(small()) == []


def test_the_order_of_domains_is_no_difference() -> None:
    assert small().drift(Description("r2", [OTHER, PAPER])) == []


def test_wording_is_no_difference() -> None:
    assert small().drift(with_draw(description="Paints.")) == []


def test_members_and_domains_are_reported_as_added_and_removed() -> None:
    theirs = Description("r2", [{**PAPER, "commands": [DRAW, {"name": "fold"}]}, {"domain": "New"}])

    assert small().drift(theirs) == [
        "new:     New",
        "new:     Paper.fold",
        "gone:    Other",
        "gone:    Other.Id",
        "gone:    Paper.clear",
    ]


@pytest.mark.parametrize(
    ("theirs", "change"),
    [
        (with_draw(deprecated=True), "deprecated, was stable"),
        (with_draw(returns=[]), "result id is gone"),
        (with_draw(parameters=DRAW["parameters"][:-1]), "parameter anything is gone"),
        (
            with_draw(parameters=[*DRAW["parameters"], {"name": "ink", "$ref": "Colour"}]),
            "new parameter ink, Paper.Colour",
        ),
        (
            with_parameter("scale", type="integer"),
            "parameter scale: integer, optional, was number, optional",
        ),
        (with_parameter("scale", optional=False), "parameter scale: number, was number, optional"),
        (
            with_parameter("anything", deprecated=True),
            "parameter anything: any, optional, deprecated, was any, optional",
        ),
        (
            with_parameter("names", items={"type": "integer"}),
            "parameter names: array of integer, optional, was array of string, optional",
        ),
    ],
)
def test_a_changed_command_is_reported_with_its_changes(theirs: Description, change: str) -> None:
    assert small().drift(theirs) == [f"changed: Paper.draw: {change}"]


def test_events_types_and_values_are_compared_too() -> None:
    paper: Json = {
        **PAPER,
        "types": [
            {**SHAPE, "properties": SHAPE["properties"][:2]},
            {**COLOUR, "enum": ["red", "blue"]},
        ],
        "events": [{**DRAWN, "parameters": []}],
        "experimental": False,
    }

    assert small().drift(Description("r2", [paper, OTHER])) == [
        "changed: Paper: stable, was experimental",
        "changed: Paper.Shape: property parts is gone",
        "changed: Paper.Colour: new values blue",
        "changed: Paper.Colour: values green are gone",
        "changed: Paper.drawn: parameter id is gone",
    ]
