"""One awkward page of the matrix: its document, the responses of its server, and the action on
it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class Route:
    """The response of the page's server for one path.

    Attributes:
        after: Seconds before the response begins.
        body_after: Seconds between its head and its body.
        endless: The body never ends: a piece is sent every 50 ms.
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
    """A page, one tool call on it, and the expected result.

    Attributes:
        name: The awkward feature of the page.
        html: The document.
        on: Role and name of the element for the call, as printed in the snapshot; "" for
            calls without an element.
        tool: The tool's name without `browser_`.
        arguments: Further arguments of the call.
        shows: Text that the reply, or the snapshot right after it, must contain.
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
