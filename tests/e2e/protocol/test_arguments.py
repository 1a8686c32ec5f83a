"""Arguments: mistakes that are corrected, and the error for others."""

from __future__ import annotations

from typing import Any

import pytest

from tests.e2e.conftest import Show
from tests.e2e.support.client import Reply, ServerClient


async def call(server: ServerClient, tool: str, arguments: Any) -> Reply:
    return Reply.of(await server.request("tools/call", {"name": tool, "arguments": arguments}))


@pytest.mark.parametrize("arguments", [None, {}])
async def test_missing_arguments_are_an_empty_object(
    shared_server: ServerClient, show: Show, arguments: object
) -> None:
    await show("<h1>Here</h1>")
    assert "Here" in (await call(shared_server, "browser_snapshot", arguments)).text


async def test_arguments_may_be_absent(shared_server: ServerClient, show: Show) -> None:
    await show("<h1>Here</h1>")
    result = await shared_server.request("tools/call", {"name": "browser_snapshot"})
    assert "Here" in Reply.of(result).text


async def test_null_for_an_optional_argument_is_absent(
    shared_server: ServerClient, show: Show
) -> None:
    await show("<h1>Here</h1>")
    arguments = {"ref": None, "depth": None, "allRefs": None}
    assert "Here" in (await call(shared_server, "browser_snapshot", arguments)).text


@pytest.mark.parametrize("width", [400.0, "400"])
async def test_a_whole_number_may_be_written_as_a_decimal_or_a_string(
    shared_server: ServerClient, show: Show, width: object
) -> None:
    await show("<h1>Here</h1>")
    reply = await call(shared_server, "browser_resize", {"width": width, "height": 300})
    await call(shared_server, "browser_resize", {"width": 1280, "height": 720})
    assert reply.sections["Result"] == "Resized the viewport to 400 x 300"


@pytest.mark.parametrize(
    ("tool", "arguments", "sentence"),
    [
        ("browser_navigate", {}, "browser_navigate needs the argument 'url', a string."),
        ("browser_navigate", {"url": None}, "browser_navigate needs the argument 'url'"),
        (
            "browser_navigate",
            {"url": 7},
            "Argument 'url' of browser_navigate must be a string, not 7.",
        ),
        (
            "browser_navigate",
            {"uri": "x"},
            "Unknown argument 'uri'. browser_navigate takes: url, context.",
        ),
        (
            "browser_resize",
            {"width": 5.5, "height": 5},
            "'width' of browser_resize must be an integer from 1 to 16384, not 5.5.",
        ),
        ("browser_close", {"all": True}, "Unknown argument 'all'. browser_close takes: context"),
        ("browser_click", {}, "browser_click needs the argument 'ref', a string."),
        (
            "browser_click",
            {"ref": "e1", "doubleClick": "maybe"},
            "'doubleClick' of browser_click must be true or false, not 'maybe'.",
        ),
        (
            "browser_click",
            {"ref": "e1", "modifiers": ["Hyper"]},
            "'modifiers[0]' of browser_click must be one of",
        ),
        ("browser_click", {"ref": "e1", "target": "e2"}, "'ref' is given twice"),
        ("browser_snapshot", [], "The arguments of browser_snapshot must be an object"),
        ("browser_snapshot", "x", "The arguments of browser_snapshot must be an object"),
        ("browser_take_screenshot", {"type": "gif"}, "must be one of jpeg, png, webp, not 'gif'"),
        ("browser_snapshot", {"depth": -1}, "'depth' of browser_snapshot must be an integer"),
        ("browser_snapshot", {"context": "other"}, 'Context "other" does not exist.'),
    ],
)
async def test_a_wrong_argument_is_named_with_the_expected_type(
    shared_server: ServerClient, show: Show, tool: str, arguments: object, sentence: str
) -> None:
    await show("<h1>Here</h1>")
    reply = await call(shared_server, tool, arguments)
    assert reply.is_error
    assert sentence in reply.sections["Error"]


async def test_a_wrong_argument_of_a_huge_size_is_not_quoted_whole(
    shared_server: ServerClient,
) -> None:
    reply = await call(shared_server, "browser_click", {"ref": "e1", "button": "x" * 100_000})
    assert reply.is_error
    assert len(reply.text) < 1000
