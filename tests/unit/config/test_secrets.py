"""Secrets: read from dotenv files, used by name, masked however they are written."""

from __future__ import annotations

import json

import pytest

from viewpoint_mcp.config.secrets import Secrets

FILE = r"""# a comment
PLAIN=some value # told
export DOUBLE="two \"quotes\"\nand lines"
SINGLE='as # it \n stands'
  SPACED  =  x#y
EMPTY=
MULTI="first
second"
TICK=`it's "both"`
"""


def test_a_dotenv_file_is_read() -> None:
    assert Secrets.parse(FILE).values == {
        "PLAIN": "some value",
        "DOUBLE": 'two \\"quotes\\"\nand lines',
        "SINGLE": r"as # it \n stands",
        "SPACED": "x#y",
        "EMPTY": "",
        "MULTI": "first\nsecond",
        "TICK": 'it\'s "both"',
    }


def test_a_placeholder_that_a_page_wrote_is_escaped() -> None:
    shown = Secrets({"KEY": "hunter22"}).escape_and_mask("<secret>KEY</secret> hunter22")
    assert shown == r"\u003csecret>KEY</secret> <secret>KEY</secret>"
    assert Secrets().escape_and_mask("<secret>KEY</secret>") == "<secret>KEY</secret>"


def test_a_backslash_is_kept_as_dotenv_keeps_it() -> None:
    text = 'A="p\\w0rd\\t\\\\x"\nB="C:\\dir\\"\nC="one\\rtwo"\n'
    assert Secrets.parse(text).values == {
        "A": r"p\w0rd\t\\x",
        "B": "C:\\dir\\",
        "C": "one\rtwo",
    }


def test_an_invalid_line_is_reported_only_by_its_number() -> None:
    with pytest.raises(ValueError, match=r"^line 3 is not NAME=VALUE$"):
        Secrets.parse("A=1\n\nhunter2 hunter2\n")


def test_windows_line_ends_are_no_part_of_a_value() -> None:
    assert Secrets.parse("A=one\r\nB=two\r\n").values == {"A": "one", "B": "two"}


@pytest.mark.parametrize(
    "written",
    [
        "p\"ä ss&'/",
        '"p\\"ä ss&\'/"',
        "p%22%C3%A4%20ss%26%27%2F",
        "p%22%c3%a4%20ss%26%27%2f",
        "p%22%C3%A4%20ss%26%27/",
        "p%22%C3%A4+ss%26%27%2F",
        "p&quot;ä ss&amp;&#x27;/",
        "p\"ä ss&amp;'/",
        "p\"ä ss&''/",
        "p\\\"\\u00e4 ss&'/",
        r"""p\"\u00E4 ss\u0026\u0027\/""",
        r"""p\\\"\\u00e4\\n ss\\u0026\'\\\/""",
        "p&#34;&#xE4;&nbsp;ss&#038;&apos;&#x2F;",
        "p&quot;&auml; ss&amp;&#39;&#47;",
        'p""ä ss&\'/',
    ],
)
def test_a_value_is_masked_however_it_is_written(written: str) -> None:
    masked = Secrets({"KEY": "p\"ä ss&'/"}).mask(f"before {written} after")
    assert masked.replace('"', "") == "before <secret>KEY</secret> after"


@pytest.mark.parametrize(
    ("value", "written"),
    [
        ("\U0001f600 secret", r"\ud83d\uDE00 secret"),
        (r"\\server\share", r"\\\\server\\share"),
        (r"\\server\share", r"%5C%5cserver\u005cshare"),
        (r"corp\über", r"corp\\\u00fcber"),
        ("it's ''here", "it''s ''''here"),
        ("!bang12", r"\!bang12"),
        ("fish&chips&", "fish&amp;chips&amp;"),
        ("100%%", "100%25%25"),
        ("one\ntwo", r"one\\ntwo"),
    ],
)
def test_a_value_of_any_letters_is_masked(value: str, written: str) -> None:
    secrets = Secrets({"KEY": value})
    for text in (value, written, json.dumps(value)[1:-1], json.dumps(json.dumps(value))[3:-3]):
        assert secrets.mask(f"-{text}-") == "-<secret>KEY</secret>-"


@pytest.mark.parametrize(
    "value", [r"\\server\share", r"\secret", '"secret', "'" * 20 + "x", "a b", r"a\\b", "äöü"]
)
@pytest.mark.parametrize("piece", ["\\", '"', "'", "&#92;", "&#39;", r"\u0027", " ", r"\n"])
def test_a_page_of_one_repeated_letter_is_masked_quickly(value: str, piece: str) -> None:
    text = f"a{piece * 10_000}"
    assert Secrets({"KEY": value}).mask(text) == text


def test_white_space_that_was_tidied_does_not_hide_it() -> None:
    assert Secrets({"KEY": "one  two\nthree"}).mask("one two three") == "<secret>KEY</secret>"


def test_the_longest_matching_value_is_masked() -> None:
    secrets = Secrets({"SHORT": "hunter", "LONG": "hunter22"})
    assert secrets.mask("hunter22 hunter") == "<secret>LONG</secret> <secret>SHORT</secret>"


def test_the_beginning_of_a_cut_value_is_masked() -> None:
    secrets = Secrets({"KEY": "a-very-long-token"})
    assert secrets.mask('x "a-very-lo…" y…') == 'x "<secret>KEY</secret>…" y…'
    assert secrets.mask("a-v…") == "a-v…"  # might be anything


@pytest.mark.parametrize(
    ("text", "masked"),
    [
        ('"…ng-token" y', '"…<secret>KEY</secret>" y'),
        ("{a-very…-token}", "{<secret>KEY</secret>…<secret>KEY</secret>}"),
        ("x …y-long-t… y", "x …<secret>KEY</secret>… y"),
        ("…oken", "…oken"),
        ("x …x-token-token y… -token", "x …x-token-token y… -token"),
    ],
)
def test_the_end_of_a_cut_value_is_masked_too(text: str, masked: str) -> None:
    assert Secrets({"KEY": "a-very-long-token"}).mask(text) == masked


def test_a_rest_that_fits_several_values_is_masked_as_the_longest() -> None:
    secrets = Secrets({"A": "abcabcabcabcx", "B": "xabcabcabc", "C": "abcabcdefghi"})
    assert secrets.mask("abcabcabcabc…") == "<secret>A</secret>…"
    assert secrets.mask("…abcdefghi…") == "…<secret>C</secret>…"


def test_a_value_too_short_to_be_masked_can_be_used_and_is_named() -> None:
    secrets = Secrets({"PIN": "123", "NONE": "", "KEY": "1234"})
    assert secrets.get_value_or_same_text("PIN") == "123"
    assert secrets.mask("e123 1234") == "e123 <secret>KEY</secret>"
    assert secrets.unmaskable_names == ["PIN"]


def test_a_ref_is_not_masked_even_if_its_number_is_a_secret() -> None:
    line = 'button "1042" [ref=f1e1042] [ref=hunter2]'
    masked = 'button "<secret>PIN</secret>" [ref=f1e1042] [ref=<secret>KEY</secret>]'
    assert Secrets({"PIN": "1042", "KEY": "hunter2"}).mask(line) == masked


def test_without_any_a_text_stays_as_it_is() -> None:
    assert Secrets().mask("text…") == "text…"
    assert Secrets().get_value_or_same_text("NAME") == "NAME"


def test_repr_shows_no_value() -> None:
    assert "hunter2" not in repr(Secrets({"KEY": "hunter2"}))
