"""Secrets are found in every encoding; tests of viewpoint_mcp's secrets have the rest."""

from __future__ import annotations

import re
from urllib.parse import quote, quote_plus, urlencode

import pytest

from cdp_protocol.sanitize.dotenv import parse_dotenv
from cdp_protocol.sanitize.secret_value_patterns import (
    is_long_enough_to_mask,
    longest_alphanumeric_part,
    pattern_for_value,
)

VALUE = "p@ss w0rd!*'()~"


@pytest.mark.parametrize(
    "written",
    [
        VALUE,
        quote(VALUE, safe=""),
        quote_plus(VALUE),
        urlencode({"": VALUE})[1:],
        quote(VALUE, safe="!*'()~"),  # encodeURIComponent
        "p%40ss+w0rd%21*%27%28%29%7E",  # a form of Chromium's
        "p@ss%20w0rd!*%27()~",  # an address of Chromium's
    ],
)
def test_a_value_is_found_however_addresses_and_forms_have_it(written: str) -> None:
    assert re.fullmatch(pattern_for_value(VALUE), written)


@pytest.mark.parametrize(
    ("value", "written"),
    [("a + b", "a + b"), ("a + b", "a+%2B+b"), ("a %b", "a  %25b"), ("a &b", "a+&b"), ("", "")],
)
def test_words_that_begin_like_a_blank_are_found(value: str, written: str) -> None:
    assert re.fullmatch(pattern_for_value(value), written)


def test_a_file_gives_names_and_values_and_the_numbers_of_invalid_lines() -> None:
    assert parse_dotenv('A=1 # told\nexport B="two"\n') == {"A": "1", "B": "two"}
    with pytest.raises(ValueError, match="line 2 is not NAME=VALUE"):
        parse_dotenv("A=1\nhush\n")


def test_the_longest_unencoded_part_is_found_and_short_values_are_not_maskable() -> None:
    assert longest_alphanumeric_part("P@ss w0rd") == "w0rd"
    assert longest_alphanumeric_part("ö!") == ""
    assert is_long_enough_to_mask("1234")
    assert not is_long_enough_to_mask(" 12 3 ")
