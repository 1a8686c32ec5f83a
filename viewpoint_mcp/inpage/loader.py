"""Joins the scripts of the isolated world into the expression that is evaluated in a document."""

from __future__ import annotations

from functools import cache
from importlib.resources import files

FILES = (
    "dom.js",
    "memo.js",
    "registry.js",
    "visibility.js",
    "closed.js",
    "pseudo.js",
    "tables.js",
    "roles.js",
    "owns.js",
    "names.js",
    "states.js",
    "reacts.js",
    "areas.js",
    "hints.js",
    "suspects.js",
    "unseen.js",
    "paint.js",
    "sight.js",
    "words.js",
    "nodes.js",
    "ariahidden.js",
    "walker.js",
    "points.js",
    "causes.js",
    "press.js",
    "target.js",
    "owner.js",
    "group.js",
    "marks.js",
    "pointing.js",
    "spots.js",
    "picture.js",
    "fields.js",
    "carets.js",
    "choices.js",
    "lists.js",
    "scrolling.js",
    "filling.js",
    "loading.js",
    "quiet.js",
    "uploads.js",
    "downloads.js",
    "same.js",
    "blank.js",
    "api.js",
)
"""In the order they are joined. All share one scope; `api.js` ends it by returning the API."""


KEPT = "globalThis.viewpointApi"
"""Where the isolated world of a document keeps its API object (see `api.js`)."""


@cache
def source() -> str:
    """Return the script that makes the API object of an isolated world, and keeps it there.

    The files are parts of one strict function, so that nothing else of ours becomes a global.
    """
    here = files(__package__)
    parts = [here.joinpath(name).read_text(encoding="utf-8") for name in FILES]
    return "\n".join([f'{KEPT} = (() => {{ "use strict";', *parts, "})()"])


def source_at_start() -> str:
    """Return the same for each new document, before its own first script; frames within a page go
    without until they are looked at.
    """
    return f"if (window === window.top) {source()}"
