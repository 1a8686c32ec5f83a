"""Paths into JSON, and the conditions of --where."""

from __future__ import annotations

import pytest

from cdp_protocol.cli.options.json_paths import Condition, to_text, values_at

RESPONSE = {
    "response": {"status": 404, "url": "http://x/möwe.js", "fromCache": False, "timing": None},
    "args": [{"value": "one"}, {"value": 2}, {}],
    "a.b": 1,
}


@pytest.mark.parametrize(
    ("path", "found"),
    [
        ("response.status", [404]),
        ("args.0.value", ["one"]),
        ("args.*.value", ["one", 2]),
        ("response.timing", [None]),
        ("args.7", []),
        ("args.one", []),
        ("response.status.more", []),
        ("nowhere", []),
        ("", [RESPONSE]),
    ],
)
def test_a_path_selects_its_value(path: str, found: list[object]) -> None:
    assert list(values_at(RESPONSE, path)) == found


@pytest.mark.parametrize(
    ("condition", "holds"),
    [
        ("response.status=404", True),
        ("response.status = 404", True),
        ("response.status=40", False),
        ("response.status>=404", True),
        ("response.status>404", False),
        ("response.status<500.5", True),
        ("response.url>1", False),
        ("response.url~mö.e\\.js$", True),
        ("response.url!~css", True),
        ("response.fromCache=false", True),
        ("response.fromCache>=0", False),
        ("response.timing=null", True),
        ("response.timing", True),
        ("response.none", False),
        ("response.none!=5", True),
        ("args.*.value=2", True),
        ("args.*.value!=2", False),
        ("~one", True),
        ("~nowhere to be found", False),
        ("response.url=http://x/möwe.js", True),
    ],
)
def test_a_condition_is_true_or_false(condition: str, holds: bool) -> None:
    assert Condition.parse(condition).holds(RESPONSE) is holds


def test_a_value_may_contain_an_operator() -> None:
    assert Condition.parse("url=a=b~c").holds({"url": "a=b~c"})


@pytest.mark.parametrize(
    ("condition", "expected"),
    [
        ("", "is not a condition. Use path=value"),
        ("two words", "is not a condition"),
        ("status>=many", '"many" in "status>=many" is not a number'),
        ("url~(", "is not a regular expression: missing )"),
    ],
)
def test_an_invalid_condition_is_refused_with_a_reason(condition: str, expected: str) -> None:
    with pytest.raises(ValueError, match=r".") as refused:
        Condition.parse(condition)
    assert expected in str(refused.value)


def test_a_text_is_printed_without_quotes_and_other_values_as_json() -> None:
    assert [to_text(each) for each in ("x y", True, None, {"a": "ü"})] == [
        "x y",
        "true",
        "null",
        '{"a":"ü"}',
    ]
