"""browser_fill_form: a whole form in one call."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.e2e.conftest import Show
from tests.e2e.support.client import ServerClient

FORM = """<form><input id=name aria-label=Name><input id=code aria-label=Code maxlength=3>
<label><input id=ok type=checkbox> I agree</label>
<select id=city aria-label=City><option>Berlin<option>Rome</select>
<input id=pw type=password aria-label=Password></form>"""
HELD = "() => [document.querySelector('#name').value, code.value, ok.checked, city.value]"


def field(ref: str, value: str, kind: str = "textbox") -> dict[str, Any]:
    return {"name": ref.lstrip("#"), "type": kind, "ref": ref, "value": value}


async def read_values(server: ServerClient) -> list[Any]:
    reply = await server.call("browser_evaluate", function=HELD)
    values: list[Any] = json.loads(reply.sections["Result"])
    return values


async def test_a_form_is_filled_and_shown(shared_server: ServerClient, show: Show) -> None:
    page = await show(FORM)
    fields = [
        {"name": "Name", "type": "textbox", "target": page.ref("textbox", "Name"), "value": "Ann"},
        field("#ok", "true", "checkbox"),
        field("#city", "Rome", "combobox"),
    ]
    reply = await shared_server.call("browser_fill_form", fields=fields)
    assert reply.sections["Result"] == "Filled 3 fields"
    assert ": Ann" in reply.sections["Snapshot"]
    assert await read_values(shared_server) == ["Ann", "", True, "Rome"]


async def test_a_value_that_a_field_cuts_is_reported_but_not_a_password(
    shared_server: ServerClient, show: Show
) -> None:
    await show(FORM)
    fields = [field("#code", "abcdef"), field("#pw", "hunter2")]
    reply = await shared_server.call("browser_fill_form", fields=fields)
    assert reply.sections["Result"] == 'Filled 2 fields\n- code: it holds "abc" now'
    assert "hunter2" not in reply.text


async def test_one_wrong_field_prevents_the_filling_of_all(
    shared_server: ServerClient, show: Show
) -> None:
    await show(FORM)
    fields = [field("#name", "Ann"), field("#city", "Oslo", "combobox"), field("#no", "x")]
    reply = await shared_server.call("browser_fill_form", fields=fields)
    assert reply.is_error
    assert "Nothing was filled: 2 of 3 fields are invalid." in reply.sections["Error"]
    assert '- "city": combobox "City" has no option "Oslo"' in reply.sections["Error"]
    assert '- "no":' in reply.sections["Error"]
    assert await read_values(shared_server) == ["", "", False, "Berlin"]


async def test_a_dialog_during_filling_is_reported_with_the_filled_fields(
    shared_server: ServerClient, show: Show
) -> None:
    await show("<input id=a onchange=\"alert('Sure?')\"><input id=b><input id=c>")
    fields = [field("#a", "1"), field("#b", "2"), field("#c", "3")]
    reply = await shared_server.call("browser_fill_form", fields=fields)
    assert reply.is_error
    assert "Filled before that: a. Not filled: b, c." in reply.sections["Error"]
    assert '"alert" dialog with message "Sure?"' in reply.sections["Modal state"]
    await shared_server.call("browser_handle_dialog", accept=True)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({}, "needs the argument 'fields'"),
        ({"fields": []}, "must be a non-empty array"),
        ({"fields": [{"name": "a", "ref": "#a", "value": "x"}]}, "'fields[0].type'"),
        ({"fields": [field("#a", "x", "button")]}, "one of checkbox, combobox"),
    ],
)
async def test_wrong_arguments_are_refused(
    shared_server: ServerClient, arguments: dict[str, Any], words: str
) -> None:
    reply = await shared_server.call("browser_fill_form", **arguments)
    assert reply.is_error
    assert words in reply.sections["Error"]
