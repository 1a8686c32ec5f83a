"""One awkward page of the matrix: its document, what its server answers, and what is done on it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class Route:
    """What the page's server answers to one path.

    Attributes:
        after: Seconds before the answer begins.
        body_after: Seconds between its head and its body.
        endless: The body never ends: a piece comes every 50 ms.
        headers: Beside the content type, which is HTML if none is given.
    """

    body: str = "late"
    after: float = 0.0
    body_after: float = 0.0
    endless: bool = False
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)


HELD = Route(after=60)
"""Never answered while the test lasts."""


@dataclass(frozen=True, slots=True)
class Case:
    """A page, one call of a tool on it, and what must come of it.

    Attributes:
        name: What is awkward about it.
        html: The document.
        on: Role and name of the element that the call is for, as the snapshot prints them; "" for
            calls that take none.
        tool: The tool's name without `browser_`.
        arguments: Further arguments of the call.
        shows: What the reply, or the snapshot right after it, must contain.
        routes: By path; the page itself has another.
        before: JavaScript to run between the snapshot and the call.
    """

    name: str
    html: str
    shows: str = "DONE"
    on: str = "Go"
    tool: str = "click"
    arguments: Mapping[str, Any] = field(default_factory=dict)
    routes: Mapping[str, Route] = field(default_factory=dict)
    before: str = ""


def button(script: str, rest: str = "") -> str:
    """A page with one button that runs the script; `DONE()` in it shows that it had its effect."""
    return (
        "<!doctype html><title>Matrix</title><script>"
        "function DONE(text = 'DONE') { document.getElementById('out').append(text + ' ') }"
        f'</script><button onclick="{script}">Go</button><p id=out></p>{rest}'
    )
