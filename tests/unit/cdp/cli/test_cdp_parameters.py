"""The parameters of a command, as people write them."""

from __future__ import annotations

import pytest

from cdp_protocol.cli.options import cdp_parameters
from tests.unit.cdp.description.small import small


def parse(*words: str, stdin: bytes = b"") -> dict[str, object]:
    return cdp_parameters.parse_parameters("Paper.draw", words, small(), stdin=stdin)


def test_json_is_parsed_unchanged() -> None:
    assert parse('{"scale": 2, "anything": null}') == {"scale": 2, "anything": None}


def test_words_get_the_types_of_the_protocol() -> None:
    assert parse("data=12", "scale=1.5", "isFilled=true", 'names=["a"]', "anything=7") == {
        "data": "12",
        "scale": 1.5,
        "isFilled": True,
        "names": ["a"],
        "anything": 7,
    }


def test_a_value_that_is_not_json_stays_a_text_for_the_check() -> None:
    assert parse("scale=big", "unknown=x=y", "data=") == {
        "scale": "big",
        "unknown": "x=y",
        "data": "",
    }


def test_a_text_may_be_the_parameter_of_a_type_that_is_a_text() -> None:
    assert cdp_parameters.parse_parameters("Paper.draw", ["shape=1"], small()) == {"shape": 1}


def test_a_later_value_overrides_an_earlier_one() -> None:
    assert parse('{"scale": 1}', "-", "scale=3", stdin=b'{"scale": 2, "data": "x"}') == {
        "scale": 3,
        "data": "x",
    }


@pytest.mark.parametrize(
    ("words", "given", "expected"),
    [
        (["{bad"], b"", "{bad is not JSON: "),
        (["-"], b"[1]", "The input on stdin is not a JSON object"),
        (["-"], b"", "The input on stdin is not JSON: "),
        (["about:blank"], b"", '"about:blank" is not a parameter. Use'),
        (["data=\udcff"], b"", "not valid UTF-8"),
        (['{"a": "\udcff"}'], b"", "not valid UTF-8"),
    ],
)
def test_an_unreadable_value_is_refused_with_a_reason(
    words: list[str], given: bytes, expected: str
) -> None:
    with pytest.raises(cdp_parameters.ParameterError) as refused:
        parse(*words, stdin=given)
    assert expected in str(refused.value)
