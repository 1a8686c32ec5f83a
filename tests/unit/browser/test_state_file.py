"""Storage state files: reading, errors and writing."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from viewpoint_mcp.browser.storage import state_file
from viewpoint_mcp.browser.storage.state_file import StorageState
from viewpoint_mcp.errors import CallError

WRITTEN = Path(__file__).parents[2] / "e2e" / "contexts" / "storage" / "playwright.json"
COOKIE = {"name": "sid", "value": "hush", "domain": "a.test"}
RECORD = {"keyEncoded": {"d": "2001-09-09T01:46:40.000Z"}, "value": "hush"}
STORE = {"name": "s", "records": [RECORD], "indexes": []}
DATABASE = {"name": "d", "version": 1, "stores": [STORE]}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "state.json"


def origin(**more: Any) -> dict[str, Any]:
    return {"origins": [{"origin": "https://a.test", **more}]}


def cookies(**more: Any) -> dict[str, Any]:
    return {"cookies": [COOKIE, {**COOKIE, **more}]}


def read(path: Path, content: object) -> StorageState:
    path.write_text(content if isinstance(content, str) else json.dumps(content))
    return state_file.read_state(path)


def refusal(path: Path, content: object) -> str:
    with pytest.raises(CallError) as caught:
        read(path, content)
    return str(caught.value)


def test_a_state_of_playwright_is_written_back_unchanged() -> None:
    state = state_file.read_state(WRITTEN)
    assert json.loads(state_file.encode_state(state)) == json.loads(WRITTEN.read_text())


def test_an_empty_object_is_an_empty_state(path: Path) -> None:
    assert json.loads(state_file.encode_state(read(path, {}))) == {"cookies": [], "origins": []}


def test_missing_fields_of_a_cookie_get_the_browsers_defaults(path: Path) -> None:
    written = json.loads(state_file.encode_state(read(path, {"cookies": [COOKIE]})))
    rest = {"path": "/", "expires": -1, "httpOnly": False, "secure": False, "sameSite": "Lax"}
    assert written["cookies"] == [COOKIE | rest]


def test_texts_with_half_a_surrogate_pair_are_not_changed(path: Path) -> None:
    items = [{"name": "\udc00", "value": "\ud800"}]
    state = read(path, origin(localStorage=items))
    assert json.loads(state_file.encode_state(state))["origins"][0]["localStorage"] == items


def test_parts_that_are_not_restored_are_reported(path: Path) -> None:
    file = {"path": "f", "type": "file", "base64": ""}
    assert read(path, origin(opfs=[file]) | {"credentials": [{}]}).unsupported_parts == [
        "opfs of https://a.test",
        "credentials",
    ]


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ("", "is not JSON: Expecting value in line 1, column 1"),
        ('{"cookies": [hush]}', "is not JSON: Expecting value in line 1, column 14"),
        ("[" * 100_000, "is not JSON"),
        ([], "Expected object, got array"),
        ({"cookies": {}}, "Expected array, got object at cookies"),
        (cookies(value=5), "Expected str, got int at cookies[1].value"),
        (cookies(sameSite="hush"), 'Expected "Strict", "Lax" or "None" at cookies[1].sameSite'),
        (cookies(expires="hush"), "Expected float, got str at cookies[1].expires"),
        ({"cookies": [{"name": "sid"}]}, "missing required field value at cookies[0]"),
        (origin(localStorage=[{"name": "k", "value": {"hush": 1}}]), "localStorage[0].value"),
        ({"origins": [{"origin": "ftp://hush"}]}, "such as https://example.com at origins[0]"),
        ({"origins": [{"origin": "https://a.test/hush"}]}, "at origins[0].origin"),
        (origin(indexedDB=[{**DATABASE, "version": 0}]), ">= 1 at origins[0].indexedDB[0].version"),
        (origin(indexedDB=[{**DATABASE, "stores": ["hush"]}]), "indexedDB[0].stores[0]"),
    ],
)
def test_a_malformed_file_names_the_field_and_no_value(
    path: Path, content: object, expected: str
) -> None:
    message = refusal(path, content)
    assert expected in message
    assert str(path) in message
    assert "hush" not in message


def test_a_file_that_is_not_text_is_refused(path: Path) -> None:
    path.write_bytes(b"\xff\xfe\xfdhush")
    with pytest.raises(CallError, match="is not JSON"):
        state_file.read_state(path)


def test_a_file_that_is_not_there_is_refused(path: Path) -> None:
    with pytest.raises(CallError, match="cannot be read: No such file"):
        state_file.read_state(path)


def test_no_repr_has_a_value(path: Path) -> None:
    item = {"name": "k", "value": "hush"}
    state = read(path, {**cookies(), **origin(localStorage=[item], indexedDB=[DATABASE])})
    assert "hush" not in f"{state!r} {state.cookies!r} {state.origins!r} {state.origins[0]!r}"
    assert "hush" not in f"{state.origins[0].local_storage!r} {state.origins[0].indexed_db!r}"
