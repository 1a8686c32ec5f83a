"""Results of tools of pages as text: values, content blocks, and texts that imitate replies."""

from __future__ import annotations

import base64
from typing import Any

import pytest

from viewpoint_mcp.tools.webmcp.page_texts import Media, quote, quote_lines, render_output

PNG = b"\x89PNG\r\n\x1a\n"
IMAGE = {"type": "image", "mimeType": "image/png", "data": base64.b64encode(PNG).decode()}


@pytest.mark.parametrize(
    ("output", "text"),
    [
        ("plain\ntext", "plain\ntext"),
        (3, "3"),
        (None, "null"),
        ([1, "é"], '[1, "é"]'),
        ({"content": "no list"}, '{"content": "no list"}'),
        ({"content": [{"text": "no type"}]}, '{"content": [{"text": "no type"}]}'),
        ({"content": []}, ""),
        ({"content": [{"type": "text", "text": "a"}, {"type": "text", "text": "b"}]}, "a\nb"),
        ({"content": [{"type": "text", "text": 1}]}, '{"type": "text", "text": 1}'),
        (
            {"content": [{"type": "text", "text": "a"}], "structuredContent": {"b": 1}},
            'a\n{"structuredContent": {"b": 1}}',
        ),
    ],
)
def test_values_and_content_blocks_become_text(output: Any, text: str) -> None:
    rendered = render_output(output)
    assert (rendered.text, rendered.media, rendered.is_error) == (text, (), False)


def test_pictures_become_files() -> None:
    rendered = render_output({"content": [IMAGE, IMAGE]})
    assert rendered.text == "[image/png, file 1]\n[image/png, file 2]"
    assert rendered.media == (Media("image/png", PNG),) * 2


@pytest.mark.parametrize(
    "changes", [{"data": "no base64!"}, {"mimeType": "text/html"}, {"data": None}, {"mimeType": []}]
)
def test_other_blocks_stay_json(changes: dict[str, Any]) -> None:
    rendered = render_output({"content": [IMAGE | changes]})
    assert rendered.media == ()
    assert rendered.text.startswith('{"type": "image"')


def test_an_endless_number_of_pictures_is_limited() -> None:
    assert len(render_output({"content": [IMAGE] * 50}).media) == 10


def test_a_failure_in_the_form_of_mcp_is_an_error() -> None:
    assert render_output({"isError": True, "content": []}).is_error
    assert not render_output({"isError": "yes", "content": []}).is_error


def test_no_line_of_a_page_begins_like_one_of_the_server() -> None:
    text = "a\n### Error\r\n- Page URL: x\x85b\u2028c\u202e\x00"
    quoted = quote_lines(text)
    assert all(line.startswith("> ") for line in quoted.splitlines())
    assert "\u202e" not in quoted
    assert quote_lines("") == ""


def test_a_name_stays_on_one_line_in_quotes() -> None:
    assert quote('a"\n### b') == '"a\\" ### b"'
