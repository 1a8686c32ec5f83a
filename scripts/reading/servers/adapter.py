"""What the player must know about a server: the calls for a step, and the refs in replies."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import orjson

from scripts.reading.ref_ranges import is_in_ranges
from scripts.reading.steps import Locator, Step, Target

TEXT_ROLE = "StaticText"  # of a text that is no element

# Selects a text in an editor, for servers without a tool for it.
SELECTION = """() => {
  const nodes = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT), text = %s;
  for (let node = nodes.nextNode(); node; node = nodes.nextNode()) {
    const editor = node.parentElement.closest('[contenteditable=true]');
    const start = editor ? node.data.indexOf(text) : -1;
    if (start >= 0) {
      editor.focus();
      return getSelection().setBaseAndExtent(node, start, node, start + text.length);
    }
  }
}"""

Call = tuple[str, dict[str, object]]
Build = Callable[[Step, Sequence[str], Path], list[Call]]


@dataclass(frozen=True, slots=True)
class Batch:
    """How a server runs several calls as one.

    Attributes:
        build: Returns the call that runs others in order, until one fails.
        count_done: Returns how many calls succeeded, given the result of a batch that failed.
        build_ref: Returns what stands for a ref to name an element by a locator, for a
            step; None if the server cannot.
        snapshot: The call at the end of a batch whose reply shows nothing of the page; else None.
        search: Returns the call that takes its place if the agent looks for a text that it knows;
            None if the server has none.
    """

    build: Callable[[Sequence[Call]], Call]
    count_done: Callable[[Mapping[str, Any]], int]
    build_ref: Callable[[Locator, Step], str | None]
    snapshot: Call | None = None
    search: Callable[[str], Call] | None = None


def write_call(call: Call) -> str:
    """Return what an agent sends to an MCP server for a call: the tool and its arguments."""
    tool, arguments = call
    return tool + orjson.dumps(arguments).decode()


def read_text(result: Mapping[str, Any]) -> str:
    """Return the text of a result of MCP."""
    return "\n".join(part["text"] for part in result["content"] if part["type"] == "text")


@dataclass(frozen=True, slots=True)
class Adapter:
    """The calls of one server.

    Attributes:
        snapshot: The call that reads the page.
        ref_pattern: The regular expression for the ref of an element, by `role` and `name`.
        nameless_pattern: The same for an element without a name, by `role`.
        builders: The calls for each kind of step, given the refs and the working directory.
        batch: None if the server has no batches.
        reads: The calls that look for a fact in turn; only the snapshot if empty.
        text_pattern: The same as `ref_pattern` for a text, by `name`, if replies show it without
            a role.
        write: Returns what the agent sends for a call.
    """

    snapshot: Call
    ref_pattern: str
    nameless_pattern: str
    builders: Mapping[str, Build]
    batch: Batch | None = None
    reads: Sequence[Call] = ()
    text_pattern: str = ""
    write: Callable[[Call], str] = write_call

    def find_ref(
        self, target: Target, reply: str, ranges: Sequence[str] | None = None
    ) -> str | None:
        """Return the ref of an element that a reply shows, else None.

        Args:
            ranges: The ranges that the ref must be in; None for any ref.
        """
        start, end = 0, len(reply)
        if target.after:
            anchor = re.search(target.after, reply)
            if anchor is None:
                return None
            start = anchor.end()
        if target.before:
            anchor = re.search(target.before, reply[start:])
            if anchor is None:
                return None
            end = start + anchor.start()
        pattern = self.ref_pattern if target.name else self.nameless_pattern
        if target.name.endswith("|"):
            pattern += f"|{self.nameless_pattern}"
        if self.text_pattern and TEXT_ROLE in target.role.split("|"):
            pattern += f"|{self.text_pattern}"
        pattern = pattern.format(role=target.role, name=target.name.removesuffix("|"))
        found = re.finditer(pattern, reply[start:end], re.IGNORECASE | re.MULTILINE)
        refs = [next(filter(None, match.groups())) for match in found]
        if ranges is not None:
            refs = [ref for ref in refs if is_in_ranges(ref, ranges)]
        return refs[-1 if target.before else 0] if refs else None
