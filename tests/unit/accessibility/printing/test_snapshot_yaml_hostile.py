"""The printed tree is valid YAML with the original text, whatever a page contains."""

from __future__ import annotations

import random
import sys
from collections.abc import Iterable, Iterator, Sequence

import orjson
import pytest
import yaml

from tests.snapshot_reader import read_snapshot
from viewpoint_mcp.accessibility.printing.invisible_characters import (
    has_no_invisible_characters,
    remove_invisible,
)
from viewpoint_mcp.accessibility.printing.long_names import cut_name, has_cut_name, rest_of_name
from viewpoint_mcp.accessibility.printing.snapshot_yaml import render_tree
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
WRAPPERS = ["listitem", "generic", "list", "paragraph", "group", "row"]
ROLES = ["button", "link", "textbox", *WRAPPERS]
STATES = [None, {"checked": "mixed"}, {"disabled": True, "level": 2}, {"expanded": False}]


def any_text(source: random.Random) -> str:
    return "".join(source.choices(PIECES, k=source.randrange(1, 6)))


def any_node(source: random.Random, levels: int) -> Node:
    name = any_text(source) if source.random() < 0.6 else ""
    node = Node(source.choice(ROLES), name, dict(source.choice(STATES) or {}))
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


def expected(nodes: Sequence[Node | str]) -> Iterator[tuple[str, ...]]:
    """Yield what is to be read back: (text,), or (role, name, url), in reading order."""
    for node in nodes:
        if isinstance(node, str):
            yield (node,)
            continue
        name, contents = node.name, list(node.children)
        if has_cut_name(node):
            name, rest = cut_name(name), rest_of_name(node)
            contents = [rest, *contents] if rest else contents
        url = node.properties.get("url", "")
        yield node.role, name, "" if url == node.name else url
        yield from expected(contents)


def read_back(text: str) -> Iterator[tuple[str, ...]]:
    for item in read_snapshot(text):
        yield (item.name,) if item.role == "text" else (item.role, item.name, item.url)


def without_wrappers(items: Iterable[tuple[str, ...]]) -> list[tuple[str, ...]]:
    """Leave out elements that tell nothing, and empty texts."""
    telling_nothing = {("",), *((role, "", "") for role in WRAPPERS)}
    return [item for item in items if item not in telling_nothing]


@pytest.mark.parametrize("seed", range(300))
def test_a_hostile_tree_is_read_back_unchanged(seed: int) -> None:
    source = random.Random(seed)
    nodes = decode_tree([raw(any_node(source, 3)) for _ in range(3)])
    assert without_wrappers(read_back(render_tree(nodes))) == without_wrappers(expected(nodes))


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
