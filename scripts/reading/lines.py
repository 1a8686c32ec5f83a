"""Sorts the characters of replies by the kind of line that they are in."""

from __future__ import annotations

import re
from collections import Counter

KINDS = ("url", "generic", "indentation", "cells", "options", "headings", "sections", "others")

NODE = re.compile(r"- |uid=")
URL_ATTRIBUTE = re.compile(r' url="[^"]*"| -> (?:"(?:[^"\\]|\\.)*"|[^\s"]+)')
# The role of a line of a snapshot, in YAML or after a uid, and after the mark of a change.
ROLE = re.compile(r"(?:- (?:<\w+> )?'?|uid=\S+ )(/?[A-Za-z]+)(?=[\s:'\"]|$)(?! \"\")")
ROLES = {
    "cells": {"cell", "gridcell", "columnheader", "rowheader", "row"},
    "options": {"option"},
    "headings": {"heading"},
    "url": {"/url"},
}
NAMELESS = re.compile(r"(?:- (?:<\w+> )?|uid=\S+ )(?:generic|ignored|none)(?: \[[^\]]*\])*:?$")


def count_characters(reply: str) -> Counter[str]:
    """Return the characters of a reply by kind; their sum is the length of the reply."""
    counts: Counter[str] = Counter()
    is_snapshot = False
    for line in reply.splitlines(keepends=True):
        words = line.lstrip(" ")
        counts["indentation"] += len(line) - len(words)
        if words.startswith("```"):
            is_snapshot = words.startswith("```yaml")
        is_node = words.startswith("uid=") or (is_snapshot and NODE.match(words) is not None)
        if not is_node:
            counts["others" if is_snapshot and words[0] != "`" else "sections"] += len(words)
            continue
        urls = "".join(URL_ATTRIBUTE.findall(words))
        counts["url"] += len(urls)
        counts[sort_line(words.rstrip())] += len(words) - len(urls)
    return counts


def sort_line(line: str) -> str:
    """Return the kind of a line of a snapshot."""
    if NAMELESS.match(line):
        return "generic"
    role = ROLE.match(line)
    name = role[1] if role else ""
    return next((kind for kind, roles in ROLES.items() if name in roles), "others")
