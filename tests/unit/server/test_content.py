from __future__ import annotations

from viewpoint_mcp.server.content import tool_result
from viewpoint_mcp.tools.result import Image, Reply


def test_text_comes_before_images() -> None:
    result = tool_result(Reply("words", (Image(b"\x00\xff", "image/png"),)))
    assert result["content"] == [
        {"type": "text", "text": "words"},
        {"type": "image", "data": "AP8=", "mimeType": "image/png"},
    ]
    assert "isError" not in result


def test_an_image_says_whom_it_is_for() -> None:
    image = Image(b"", "image/webp", audience=("user",))
    assert tool_result(Reply("", (image,)))["content"] == [
        {
            "type": "image",
            "data": "",
            "mimeType": "image/webp",
            "annotations": {"audience": ["user"]},
        }
    ]


def test_a_reply_of_nothing_still_has_a_block() -> None:
    assert tool_result(Reply(""))["content"] == [{"type": "text", "text": ""}]


def test_an_error_and_structured_data_are_passed_on() -> None:
    result = tool_result(Reply("no", is_error=True, structured={}))
    assert result["isError"] is True
    assert result["structuredContent"] == {}
