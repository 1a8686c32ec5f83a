from __future__ import annotations

from viewpoint_mcp.server.content_blocks import tool_result
from viewpoint_mcp.server.initialize_handshake import LATEST_SESSION_VERSION
from viewpoint_mcp.tools.core.result import Image, Link, Reply


def test_text_comes_before_images() -> None:
    result = tool_result(Reply("words", (Image(b"\x00\xff", "image/png"),)), LATEST_SESSION_VERSION)
    assert result["content"] == [
        {"type": "text", "text": "words"},
        {"type": "image", "data": "AP8=", "mimeType": "image/png"},
    ]
    assert "isError" not in result


def test_an_image_names_its_audience() -> None:
    image = Image(b"", "image/webp", audience=("user",))
    assert tool_result(Reply("", (image,)), LATEST_SESSION_VERSION)["content"] == [
        {
            "type": "image",
            "data": "",
            "mimeType": "image/webp",
            "annotations": {"audience": ["user"]},
        }
    ]


def test_a_reply_of_nothing_still_has_a_block() -> None:
    assert tool_result(Reply(""), LATEST_SESSION_VERSION)["content"] == [
        {"type": "text", "text": ""}
    ]


def test_an_error_and_structured_data_are_passed_on() -> None:
    result = tool_result(Reply("no", is_error=True, structured_content={}), LATEST_SESSION_VERSION)
    assert result["isError"] is True
    assert result["structuredContent"] == {}


def test_links_come_last_and_only_for_clients_that_know_them() -> None:
    link = Link("viewpoint://screenshots/a.png", "a.png", "Shop", "image/png", 5)
    reply = Reply("words", (Image(b"", "image/png"),), (link,))
    assert tool_result(reply, "2025-06-18")["content"][2:] == [
        {
            "type": "resource_link",
            "uri": "viewpoint://screenshots/a.png",
            "name": "a.png",
            "title": "Shop",
            "mimeType": "image/png",
            "size": 5,
        }
    ]
    assert len(tool_result(reply, "2025-03-26")["content"]) == 2
