"""Pages on which something never ends: it must not be waited for."""

from __future__ import annotations

from tests.prove.matrix.case import HELD, Case, Route, button

_STREAM = Route("data: x\n\n", endless=True, headers={"Content-Type": "text/event-stream"})
_PIECES = Route("x", endless=True, headers={"Content-Type": "text/plain"})

_GOINGS_ON = (
    ("a poll every 50 ms", "setInterval(() => fetch('/quick'), 50)"),
    (
        "a poll whose address changes",
        "let n = 0;setInterval(() => fetch('/quick?' + ++n), 100)",
    ),
    ("an event source", "new EventSource('/stream')"),
    (
        "a stream that is read",
        "fetch('/pieces').then(async r => { for (const s = r.body.getReader();;) await s.read() })",
    ),
    (
        "a stream that is shown",
        (
            "fetch('/pieces').then(async r => { const s = r.body.getReader();"
            "for (;;) { await s.read();t.textContent = Date.now() } })"
        ),
    ),
    ("a ticking clock", "setInterval(() => { t.textContent = Date.now() }, 20)"),
    (
        "a change in each frame",
        "(function f() { t.style.left = Math.random() + 'px';requestAnimationFrame(f) })()",
    ),
    ("an animation", "t.animate([{opacity: 0}], {duration: 500, iterations: Infinity})"),
    ("an interval that does nothing", "setInterval(() => {}, 10)"),
    ("a beacon", "navigator.sendBeacon('/held', 'x')"),
    ("a slow pixel", "new Image().src = '/held'"),
    (
        "a slow picture on the page",
        "document.body.append(Object.assign(document.createElement('img'), {src: '/held'}))",
    ),
    (
        "a prefetch",
        (
            "document.head.append(Object.assign(document.createElement('link'), "
            "{rel: 'prefetch', href: '/held'}))"
        ),
    ),
    ("a slow sound", "new Audio('/held').load()"),
    ("a worker that is busy", "new Worker(self.URL.createObjectURL(new Blob(['for (;;);'])))"),
    ("a socket that nobody answers", "new WebSocket('ws://' + location.host + '/held')"),
)

_ROUTES = {
    "/quick": Route("x"),
    "/held": HELD,
    "/stream": _STREAM,
    "/pieces": _PIECES,
    "/long": Route("x", after=1.5),
}
_BUSY = "<p id=t style='position: absolute'>t</p>"

BEGUN_BY_THE_ACT = tuple(
    Case(f"the act begins {what}", button(script, _BUSY), shows="Clicked", routes=_ROUTES)
    for what, script in _GOINGS_ON
)

GOING_ON = tuple(
    Case(
        f"{what} goes on all the time",
        button("DONE()", f"{_BUSY}<script>{script}</script>"),
        routes=_ROUTES,
    )
    for what, script in (
        *_GOINGS_ON,
        # An action starts it, so it looks like any fetch and takes as long as one without an
        # answer.
        ("a keepalive fetch", "fetch('/held', {method: 'POST', body: 'x', keepalive: true})"),
        (
            "a long poll",
            "(async function f() { for (;;) await fetch('/long').catch(() => 0) })()",
        ),
    )
)

ENDLESS = (*BEGUN_BY_THE_ACT, *GOING_ON)
