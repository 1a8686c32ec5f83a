"""The printed tree is valid YAML with the original text, whatever a page contains."""

from __future__ import annotations

import json
import random
import re
import sys

import orjson
import pytest
import yaml

from viewpoint_mcp.accessibility.invisible_characters import (
    has_no_invisible_characters,
    remove_invisible,
)
from viewpoint_mcp.accessibility.long_names import cut_name, has_cut_name, rest_of_name
from viewpoint_mcp.accessibility.snapshot_yaml import render_tree
from viewpoint_mcp.accessibility.tree import Node, decode_tree

PIECES = [
    ": ",
    " #",
    "#",
    ":",
    "-",
    "- ",
    "? ",
    "'",
    "''",
    '"',
    "\\",
    "\n",
    "\t",
    "\r\n",
    "[",
    "]",
    "{",
    "}",
    ",",
    "&a",
    "*a",
    "!",
    "!!str",
    "|",
    ">",
    "%",
    "@",
    "`",
    "null",
    "yes",
    "1",
    "0x1",
    "1.5",
    "12:30",
    "2026-01-13",
    "~",
    "<<",
    "=",
    " ",
    "---",
    "...",
    "\0",
    "\x1b[31m",
    "\x85",
    "\u2028",
    "\u2029",
    "\u202e",
    "\u200b",
    "\u2066",
    "\ufeff",
    "\ufffe",
    "\uffff",
    "\ud800",
    "\udfff",
    "\U000e0041",
    "\xa0",
    "é",
    "日本",
    "👩\u200d💻",
    "\U0010ffff",
    "word",
    "[ref=e1]",
    '" [ref=e2]',
]
ROLES = ["button", "link", "textbox", "listitem", "generic"]
STATES = [None, {"checked": "mixed"}, {"disabled": True, "level": 2}, {"expanded": False}]
KEY = re.compile(r'(\w+)(?: ("(?:[^"\\]|\\.)*"))?(.*)', re.DOTALL)


def any_text(source: random.Random) -> str:
    return "".join(source.choices(PIECES, k=source.randrange(1, 6)))


def any_node(source: random.Random, levels: int) -> Node:
    node = Node(source.choice(ROLES), any_text(source), dict(source.choice(STATES) or {}))
    if source.random() < 0.3:
        node.properties["url"] = any_text(source)
    if source.random() < 0.3:
        node.properties["hint"] = any_text(source)
    for _ in range(source.randrange(4) if levels else 0):
        node.children.append(
            any_text(source) if source.random() < 0.4 else any_node(source, levels - 1)
        )
    return node


def raw(node: Node | str) -> object:
    """The node as the walker sends it."""
    if isinstance(node, str):
        return node
    return [node.role, node.name, node.properties, [raw(child) for child in node.children]]


def printed(nodes: list[Node | str]) -> str:
    return render_tree(decode_tree([raw(node) for node in nodes]))


def expected(node: Node | str) -> object:
    """The node as `role, name, url, contents`, the way the YAML is to be read back."""
    if isinstance(node, str):
        return ("text", "", None, [remove_invisible(node)])
    url = node.properties.get("url")
    contents = [
        remove_invisible(child) if isinstance(child, str) else expected(child)
        for child in node.children
    ]
    [decoded] = decode_tree([raw(node)])
    name = decoded.name
    if has_cut_name(decoded):
        name, rest = cut_name(name), rest_of_name(decoded)
        contents = [rest, *contents] if rest else contents
    return (node.role, name, None if url is None else remove_invisible(url), contents)


def read_back(item: object) -> object:
    key, value = next(iter(item.items())) if isinstance(item, dict) else (item, [])
    match = KEY.fullmatch(str(key))
    assert match is not None, key
    role, name = match[1], json.loads(match[2]) if match[2] else ""
    if isinstance(value, str):
        return (role, name, None, [value])
    url = next(
        (entry["/url"] for entry in value if isinstance(entry, dict) and "/url" in entry), None
    )
    rest = [
        read_back(entry) for entry in value if not (isinstance(entry, dict) and "/url" in entry)
    ]
    return (role, name, url, [each[3][0] if each[0] == "text" else each for each in rest])  # type: ignore[index]


@pytest.mark.parametrize("seed", range(300))
def test_a_hostile_tree_is_read_back_unchanged(seed: int) -> None:
    source = random.Random(seed)
    nodes: list[Node | str] = [any_node(source, 3) for _ in range(3)]
    back = yaml.safe_load(printed(nodes))
    assert [read_back(item) for item in back] == [expected(node) for node in nodes]


@pytest.mark.parametrize("seed", range(200))
def test_any_unicode_at_all_is_printed_as_yaml_that_can_be_encoded(seed: int) -> None:
    source = random.Random(seed)
    text = "".join(chr(source.randrange(sys.maxunicode + 1)) for _ in range(200))
    snapshot = printed([text, Node("button", text, {"hint": text, "url": text}, [text])])
    assert snapshot.encode()
    assert yaml.safe_load(snapshot)[0] == {"text": remove_invisible(text)}


def test_invisible_characters_are_not_printed() -> None:
    assert remove_invisible("a\u202eb\u200bc\ufeffd\U000e0041e\x1bf\U000e0101") == "abcdef"


def test_a_lone_surrogate_becomes_a_replacement_character() -> None:
    assert remove_invisible("a\ud800b") == "a\ufffdb"


def test_every_space_is_a_plain_one_and_every_line_break_a_newline() -> None:
    assert remove_invisible("a\xa0b\u3000c\u2028d") == "a b c\nd"


def test_joined_emoji_and_unknown_characters_stay() -> None:
    assert remove_invisible("👩\u200d💻 \u0378") == "👩\u200d💻 \u0378"


@pytest.mark.parametrize("piece", PIECES)
def test_a_text_is_clean_only_if_removal_does_not_change_it(piece: str) -> None:
    text = f"before {piece} after"
    try:
        sent = orjson.dumps([text]).decode()
    except orjson.JSONEncodeError:
        return  # half a surrogate pair is replaced before it is sent
    assert remove_invisible(text) == text or not has_no_invisible_characters(sent)


@pytest.mark.parametrize("text", ["words", "a\nb\tc", 'say "hi"', "日本 é", "👩 ok"])
def test_ordinary_texts_are_called_clean(text: str) -> None:
    assert has_no_invisible_characters(orjson.dumps([text]).decode())
