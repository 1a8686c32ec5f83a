"""No hostile text leaves its quotes in a sentence, or its line in a list."""

from __future__ import annotations

import json
import re
import textwrap
from collections.abc import Callable, Mapping
from typing import Any

import pytest
from hypothesis import strategies as st

from tests.hostile_texts import CANARY, check_examples, hostile_texts
from tests.reply_reader import check_characters, check_fences, check_sentence
from viewpoint_mcp.accessibility.appearance import describe_appearance
from viewpoint_mcp.accessibility.printing.invisible_characters import escape_invisible
from viewpoint_mcp.accessibility.printing.sentence_quotes import (
    escape_link_text,
    quote_in_sentence,
    to_one_line,
)
from viewpoint_mcp.accessibility.refs import describe_element
from viewpoint_mcp.accessibility.search.locator_code import quote_python, quote_typescript
from viewpoint_mcp.accessibility.tree import Node
from viewpoint_mcp.page.actions.text_input import quote
from viewpoint_mcp.page.blocking_conditions import Dialog
from viewpoint_mcp.tools.reply.details.headers import render_headers
from viewpoint_mcp.tools.reply.heading_escaping import (
    escape_page_text,
    indent_continuation_lines,
)
from viewpoint_mcp.tools.reply.line_fitting import fit_first_lines


def check_quotes(text: str) -> None:
    for sentence in (
        quote_in_sentence(text),
        quote_in_sentence(text, 20),
        f"Clicked {describe_element('button', text)}.",
        f"{describe_appearance(Node('button', '', {}, [text]))} is covered",
        f"{describe_appearance(Node('button', '', {'hint': text}, []))} is covered",
        f"it holds {quote(text)} now",
        str(Dialog("alert", text)),
        str(Dialog("alert", text + "x" * 2000)),
    ):
        check_characters(sentence)
        check_sentence(sentence)


def check_text_in_quotes(text: str) -> None:
    quoted = quote_in_sentence(text)
    line = to_one_line(text)
    assert re.sub(r'(\\*)\1\\"', r'\1"', re.sub(r"(\\*)\1\Z", r"\1", quoted[1:-1])) == line


def check_link_text(text: str) -> None:
    line = f"[{escape_link_text(to_one_line(text))}](/real)"
    check_characters(line)
    assert re.fullmatch(r"\[(?:[^\]\\]|\\.|\](?!\())*\]\(/real\)", line), line


def check_literals(text: str) -> None:
    python, typescript = quote_python(text), quote_typescript(text)
    assert json.loads(python) == text
    assert "\n" not in typescript + python
    assert "\r" not in typescript + python
    assert re.fullmatch(r"'(?:[^'\\]|\\.)*'", typescript, re.DOTALL)


def check_page_text(text: str) -> None:
    shown = escape_page_text(text)
    check_characters(shown)
    assert not any(line.lstrip().startswith("###") for line in shown.splitlines())
    check_fences(shown)
    check_fences(textwrap.indent(shown, "  "))
    assert escape_page_text(shown) == shown
    data = json.dumps([text], ensure_ascii=False)
    assert json.loads(escape_invisible(data)) == [text]


def check_list(texts: list[str]) -> None:
    lines = fit_first_lines([f"key={each}" for each in texts], "", 100_000).splitlines()
    assert [line for line in lines if not line.startswith("    ")] == [
        line for line in lines if line.startswith("key=")
    ]
    assert sum(line.startswith("key=") for line in lines) == len(texts)
    check_characters("\n".join(lines))


def check_keys(texts: list[str]) -> None:
    check_fences(fit_first_lines([f"{each}=x" for each in texts], "", 100_000))


def check_console(text: str) -> None:
    first, *others = indent_continuation_lines(f"[LOG] {text}").splitlines()
    assert first.startswith("[LOG] ")
    assert all(line.startswith("    ") for line in others)
    check_characters("\n".join([first, *others]))


def check_headers(text: str) -> None:
    name_and_value = f"x-{CANARY}: {text}".replace("\n", " ")
    (line,) = render_headers(name_and_value, show_credentials=True)
    check_characters(line)
    assert len(line.splitlines()) == 1


PROPERTIES: Mapping[str, tuple[Callable[..., None], *tuple[st.SearchStrategy[Any], ...]]] = {
    "quotes": (check_quotes, hostile_texts),
    "the text in quotes": (check_text_in_quotes, hostile_texts),
    "the text of a link": (check_link_text, hostile_texts),
    "literals of code": (check_literals, hostile_texts),
    "text shown as it is": (check_page_text, hostile_texts),
    "entries of a list": (check_list, st.lists(hostile_texts, min_size=1, max_size=4)),
    "keys of a list": (check_keys, st.lists(hostile_texts, min_size=1, max_size=4)),
    "console messages": (check_console, hostile_texts),
    "headers": (check_headers, hostile_texts),
}


@pytest.mark.parametrize("name", PROPERTIES)
def test_a_page_forges_no_part_of(name: str) -> None:
    check_examples(300, *PROPERTIES[name])


@pytest.mark.parametrize(
    ("text", "quoted"),
    [
        ("Save", '"Save"'),
        ("C:\\temp", '"C:\\temp"'),
        ('Say "hi"', r'"Say \"hi\""'),
        ('a\\"b', r'"a\\\"b"'),
        ("ends with \\", r'"ends with \\"'),
        ("two\n lines", '"two lines"'),
    ],
)
def test_quotes_and_the_backslashes_before_them_are_escaped(text: str, quoted: str) -> None:
    assert quote_in_sentence(text) == quoted


@pytest.mark.parametrize(
    ("text", "escaped"),
    [
        ("a [b] (c)", "a [b] (c)"),
        ("Mail](http://a.test/)", r"Mail\](http://a.test/)"),
        (r"Mail\](http://a.test/)", r"Mail\\\](http://a.test/)"),
        ("C:\\", r"C:\\"),
    ],
)
def test_a_text_does_not_end_its_link(text: str, escaped: str) -> None:
    assert escape_link_text(text) == escaped


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("### Result", r"\### Result"),
        ("a\n  ### Result", "a\n  \\### Result"),
        ("```\nopen", "\\```\nopen"),
        ("a\n  ~~~~ js\n~~~", "a\n  \\~~~~ js\n\\~~~"),
        ("```\n````\nagain\n```", "\\```\n\\````\nagain\n\\```"),
        ("   ```\nindented\n```", "   \\```\nindented\n\\```"),
        ("```\nclosed\n````\t", "```\nclosed\n````\t"),
        ("``` no ` fence", "``` no ` fence"),
    ],
)
def test_headings_and_open_code_blocks_are_escaped(text: str, shown: str) -> None:
    assert escape_page_text(text) == shown


@pytest.mark.parametrize(
    "text", ["plain", "a\r\nb\tc", "日本 é\xa0ok", "👩\u200d💻 ❤\ufe0f", "Sil\u00adbe"]
)
def test_ordinary_text_is_shown_unchanged(text: str) -> None:
    assert escape_page_text(text) == text
