"""Help for every name of the protocol, in plain text."""

from __future__ import annotations

import pytest

from cdp_protocol.description import Description
from tests.unit.cdp.description.small import small


def test_help_for_a_command_has_its_parameters_results_and_objects() -> None:
    assert (
        small().explain("Paper.draw")
        == """\
Paper.draw, a command
Draws a shape.

Parameters:
  shape: Paper.Shape
      What to draw.
  scale: number, optional
  data: string (base64), optional, experimental
  isFilled: boolean, optional
  names: array of string, optional
  anything: any, optional

Returns:
  id: Other.Id (string)

Paper.Shape:
  width: integer
  colour: Paper.Colour (string), optional
      One of: red, green
  parts: array of Paper.Shape, optional
"""
    )


def test_help_for_a_command_without_parameters_and_results_says_so() -> None:
    assert (
        small().explain("Paper.clear")
        == """\
Paper.clear, a command, deprecated

No parameters.

Returns nothing.
"""
    )


def test_help_for_an_event_has_its_parameters() -> None:
    assert (
        small().explain("Paper.drawn")
        == """\
Paper.drawn, an event

Parameters:
  id: Other.Id (string)
"""
    )


def test_help_for_a_type_has_its_values() -> None:
    assert (
        small().explain("Paper.Colour")
        == """\
Paper.Colour, a type: string
One of: red, green
"""
    )


def test_a_domain_lists_its_members() -> None:
    assert (
        small().explain("Paper")
        == """\
Paper, a domain, experimental

Commands:
  Paper.draw: Draws a shape
  Paper.clear (deprecated)

Events:
  Paper.drawn

Types:
  Paper.Shape
  Paper.Colour
"""
    )


def test_an_unknown_name_is_an_error_with_suggestions() -> None:
    with pytest.raises(LookupError) as unknown:
        small().explain("Paper.colour")

    assert str(unknown.value) == ("r1 has no Paper.colour. Did you mean Paper.Colour?")


def test_everything_of_the_bundled_protocol_can_be_explained() -> None:
    bundled = Description.bundled()
    names = [*bundled.domains, *bundled.commands(), *bundled.events(), *bundled.types()]

    for name in names:
        text = bundled.explain(name)
        assert text.startswith(f"{name}, a"), name
        too_long = [line for line in text.splitlines() if len(line) > 88 and " " in line.strip()]
        assert too_long == [], name
