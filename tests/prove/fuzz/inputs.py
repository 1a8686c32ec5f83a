"""Valid messages of a client, and damaged variants of them."""

from __future__ import annotations

import copy
import json
from typing import Any

from hypothesis import strategies as st

SESSION_VERSIONS = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25")
SESSIONLESS_VERSION = "2026-07-28"
# Methods that need no browser: only the protocol is fuzzed.
TOOLS = ("browser_context_list", "list_screenshots", "get_screenshot")

META = {
    "io.modelcontextprotocol/protocolVersion": SESSIONLESS_VERSION,
    "io.modelcontextprotocol/clientCapabilities": {"sampling": {}},
    "io.modelcontextprotocol/clientInfo": {"name": "fuzz", "version": "0"},
}
CLIENT = {"capabilities": {}, "clientInfo": {"name": "fuzz", "version": "0"}}
METHODS: tuple[tuple[str, dict[str, Any]], ...] = (
    *(("initialize", {"protocolVersion": version, **CLIENT}) for version in SESSION_VERSIONS),
    ("notifications/initialized", {}),
    ("ping", {}),
    ("tools/list", {}),
    *(("tools/call", {"name": name, "arguments": {}}) for name in TOOLS),
    ("tools/call", {"name": "no_such_tool", "arguments": {"a": [1, {"b": None}]}}),
    ("resources/list", {"cursor": "0"}),
    ("resources/read", {"uri": "viewpoint://screenshots/none.png"}),
    ("resources/templates/list", {}),
    ("notifications/cancelled", {"requestId": 3, "reason": "because"}),
    ("notifications/progress", {"progressToken": 1, "progress": 1}),
    ("prompts/list", {}),
    ("logging/setLevel", {"level": "debug"}),
    ("completion/complete", {"ref": {"type": "ref/prompt", "name": "x"}}),
)
SESSIONLESS_METHODS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("server/discover", {}),
    ("subscriptions/listen", {"notifications": {"toolsListChanged": True}}),
)

ids = st.one_of(
    st.integers(0, 5), st.text(max_size=4), st.integers(-(2**70), 2**70), st.floats(), st.none()
)
# Numbers, words and shapes that are hard on parsers.
odd = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(2**80), 2**80),
    st.floats(),
    st.text(st.characters(codec="utf-8", exclude_categories=()), max_size=12),
    # Copies, because values in a message may be modified.
    st.sampled_from(
        ["\ud800", "\udfff\ud800", "\u0000", "\u2028", "\ufeff", "a" * 3000, [], {}, [[]], 1e308]
    ).map(copy.deepcopy),
    st.recursive(
        st.none() | st.integers(),
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner),
        max_leaves=6,
    ),
)


@st.composite
def message(draw: st.DrawFn) -> dict[str, Any]:
    """A message as it should be, of any revision."""
    sessionless = draw(st.booleans())
    method, params = draw(
        st.sampled_from(METHODS + SESSIONLESS_METHODS if sessionless else METHODS)
    )
    fields: dict[str, Any] = {"jsonrpc": "2.0", "method": method, "params": {**params}}
    if sessionless:
        fields["params"]["_meta"] = {**META}
    if draw(st.booleans()):
        fields["params"].setdefault("_meta", {})["progressToken"] = draw(st.integers(0, 3))
    if not method.startswith("notifications/"):
        fields["id"] = draw(st.integers(0, 99) | st.text(min_size=1, max_size=5))
    return fields


def paths_in(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The ways to everything within a value."""
    inner = value.items() if isinstance(value, dict) else enumerate(value)
    found = []
    for key, each in inner:
        found.append((*path, key))
        if isinstance(each, dict | list):
            found += paths_in(each, (*path, key))
    return found


@st.composite
def changed_message(draw: st.DrawFn) -> Any:
    """A message with a missing part, a part of another type, or an additional part."""
    said = json.loads(json.dumps(draw(message())))
    for _ in range(draw(st.integers(1, 3))):
        ways = paths_in(said)
        if not ways:
            break
        *path, last = draw(st.sampled_from(ways))
        holder: Any = said
        for key in path:
            holder = holder[key]
        match draw(st.integers(0, 3)):
            case 0:
                del holder[last]
            case 1 | 2:
                holder[last] = draw(ids if last == "id" else odd)
            case _ if isinstance(holder, dict):
                holder[draw(st.sampled_from(["id", "method", "result", "error", "x", ""]))] = draw(
                    odd
                )
    return said


response = st.fixed_dictionaries(
    {"jsonrpc": st.just("2.0"), "id": ids},
    optional={"result": odd, "error": odd | st.just({"code": -1, "message": "no"})},
)


@st.composite
def deep_message(draw: st.DrawFn) -> bytes:
    """A message that is nested very deeply, perhaps without an end."""
    depth = draw(st.sampled_from([50, 200, 5000, 50_000]))
    before, after = draw(st.sampled_from([(b"[", b"]"), (b'{"a":', b"}")]))
    core = before * depth + b"0" + after * draw(st.sampled_from([depth, depth - 1, 0]))
    if draw(st.booleans()):
        return b'{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":' + core + b"}}"
    return core


@st.composite
def damaged_message(draw: st.DrawFn) -> bytes:
    """A message of which bytes were lost, doubled or changed."""
    data = bytearray(dump(draw(message())))
    for _ in range(draw(st.integers(1, 4))):
        at = draw(st.integers(0, len(data)))
        match draw(st.integers(0, 3)):
            case 0:
                del data[at:]
            case 1:
                data[at:at] = draw(st.binary(min_size=1, max_size=4))
            case 2:
                del data[at : at + draw(st.integers(1, 5))]
            case _:
                data[at:at] = data[at : at + draw(st.integers(1, 30))]
    return bytes(data)


def dump(value: Any) -> bytes:
    """Return JSON; halves of surrogate pairs and NaN are kept."""
    return json.dumps(value).encode()


@st.composite
def message_with_doubled_key(draw: st.DrawFn) -> bytes:
    """A message that has a key twice."""
    said = draw(message())
    key = draw(st.sampled_from(sorted(said)))
    again = f'"{key}":{json.dumps(draw(odd))}'.encode()
    if draw(st.booleans()):
        return b"{" + again + b"," + dump(said)[1:]
    return dump(said)[:-1] + b"," + again + b"}"


batches = st.lists(changed_message() | message() | odd, max_size=4)

# A message is a line on stdio, and must not contain line breaks.
inputs = st.one_of(
    message().map(dump),
    changed_message().map(dump),
    changed_message().map(dump),
    changed_message().map(
        lambda said: json.dumps(said, ensure_ascii=False).encode(errors="surrogatepass")
    ),
    damaged_message(),
    message_with_doubled_key(),
    batches.map(dump),
    response.map(dump),
    odd.map(dump),
    deep_message(),
    st.binary(max_size=40),
    st.sampled_from([b"\xef\xbb\xbf{}", b"NaN", b"1e999", b"-", b'"\\ud800"', b"\x00", b"{}" * 9]),
).map(lambda data: data.replace(b"\n", b" ").replace(b"\r", b" "))
