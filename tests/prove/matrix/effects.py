"""Pages on which an action has an effect, sooner or later. The effect must be in the reply, or in
the snapshot right after it.
"""

from __future__ import annotations

from tests.prove.matrix.case import Case, Route, button

_FETCH = "fetch('/data').then(r => r.text()).then(() => DONE())"
_CLOCK = (
    "<i id=clock></i><script>setInterval(() => { clock.textContent = Date.now() }, 40)</script>"
)
_THINK = "return new Promise((done) => setTimeout(done, 700))"  # as an agent does between calls
_SPINNER = (
    "<style>@keyframes turn { to { transform: rotate(1turn) } } b { display: inline-block; "
    "animation: turn 1s linear infinite }</style><b>spinner</b>"
)
_ARRIVED = Route("<!doctype html><title>There</title><h1>DONE</h1>")
_WORKER = (
    "const w = new Worker(self.URL.createObjectURL(new Blob(["
    "'setTimeout(() => postMessage(1), 200)'])));w.onmessage = () => DONE()"
)
_SEARCH = """<input aria-label=Go id=q><p id=out></p><script>
let timer
q.oninput = () => { clearTimeout(timer); timer = setTimeout(() => fetch('/data?q=' + q.value)
  .then(r => r.text()).then(t => { out.textContent = t }), 300) }</script>"""

TIMERS = tuple(
    Case(f"a timer of {delay} ms", button(f"setTimeout(DONE, {delay})"), shows="DONE")
    for delay in (0, 16, 50, 100, 200, 300, 400, 500)
)

REQUESTS = (
    *(
        Case(f"a fetch of {delay} ms", button(_FETCH), routes={"/data": Route(after=delay / 1000)})
        for delay in (20, 100, 300, 700, 1200, 2000)
    ),
    Case(
        "three fetches, one after another",
        button(
            "fetch('/data?1').then(() => fetch('/data?2')).then(() => fetch('/data?3'))"
            ".then(() => DONE())"
        ),
        routes={"/data": Route(after=0.3)},
    ),
    Case(
        "a timer, then a fetch, then a timer",
        button("setTimeout(() => fetch('/data').then(() => setTimeout(DONE, 200)), 200)"),
        routes={"/data": Route(after=0.3)},
    ),
    Case(
        "a fetch whose body nobody reads",
        button("fetch('/data').then(() => setTimeout(DONE, 100))"),
        routes={"/data": Route("x" * 100_000, after=0.2)},
    ),
    Case(
        "a fetch whose body comes late",
        button(_FETCH),
        routes={"/data": Route(after=0.2, body_after=0.3)},
    ),
    Case(
        "an XMLHttpRequest whose body comes very late",
        button(
            "const x = new XMLHttpRequest();x.open('GET', '/data');x.onload = () => DONE();x.send()"
        ),
        routes={"/data": Route(after=0.2, body_after=1.2)},
    ),
    Case("a fetch that fails", button("fetch('http://localhost:1/').catch(() => DONE())")),
    Case(
        "an answer of 500",
        button("fetch('/data').then(r => { if (!r.ok) DONE() })"),
        routes={"/data": Route(status=500, after=0.3)},
    ),
    Case(
        "two fetches at once, the slow one last",
        button("fetch('/quick').then(() => { out.append('quick ') });" + _FETCH),
        routes={"/quick": Route(after=0.05), "/data": Route(after=0.9)},
    ),
    Case(
        "a debounced search",
        _SEARCH,
        tool="type",
        arguments={"text": "abc"},
        routes={"/data": Route("DONE", after=0.4)},
    ),
    Case(
        "a debounced search, key by key",
        _SEARCH,
        tool="type",
        arguments={"text": "abc", "slowly": True},
        routes={"/data": Route("DONE", after=0.4)},
    ),
    Case(
        "a script that is loaded",
        button(
            "document.head.append(Object.assign(document.createElement('script'), {src: '/s'}))"
        ),
        routes={"/s": Route("DONE()", after=0.5, headers={"Content-Type": "text/javascript"})},
    ),
    Case(
        "a module that is imported",
        button("import('/s').then(m => DONE(m.default))"),
        routes={
            "/s": Route(
                "export default 'DONE'", after=0.5, headers={"Content-Type": "text/javascript"}
            )
        },
    ),
    Case(
        "a picture whose load tells something",
        button("const i = new Image();i.onerror = () => DONE();i.src = '/picture'"),
        routes={"/picture": Route("no picture", after=0.25)},
    ),
)

NAVIGATIONS = (
    Case("a link", "<a href=/there>Go</a>", routes={"/there": _ARRIVED}),
    Case(
        "a link to a slow page",
        "<a href=/there>Go</a>",
        routes={"/there": Route("<h1>DONE</h1>", after=1.2)},
    ),
    Case(
        "a page whose body comes late",
        "<a href=/there>Go</a>",
        routes={"/there": Route("<h1>DONE</h1>", body_after=0.7)},
    ),
    Case(
        "a page that renders after a fetch",
        "<a href=/there>Go</a>",
        routes={
            "/there": Route(
                "<div id=app></div><script>fetch('/data').then(r => r.text()).then(t => "
                "{ app.innerHTML = `<h1>${t}</h1>` })</script>"
            ),
            "/data": Route("DONE", after=1.0),
        },
    ),
    Case(
        "a redirect by script",
        "<a href=/first>Go</a>",
        routes={
            "/first": Route("<script>location.replace('/there')</script>"),
            "/there": _ARRIVED,
        },
    ),
    Case(
        "a navigation by a timer",
        button("setTimeout(() => { location = '/there' }, 250)"),
        routes={"/there": _ARRIVED},
    ),
    Case(
        "a navigation after a fetch",
        button("fetch('/data').then(() => { location = '/there' })"),
        routes={"/data": Route(after=0.6), "/there": _ARRIVED},
    ),
    Case(
        "a form that is posted",
        "<form action=/there method=post><input name=a><button>Go</button></form>",
        routes={"/there": _ARRIVED},
    ),
    Case(
        "a form that Enter submits",
        "<form action=/there><input aria-label=Go name=q></form>",
        tool="type",
        arguments={"text": "x", "submit": True},
        routes={"/there": _ARRIVED},
    ),
    Case("pushState", button("history.pushState(0, '', '/elsewhere');setTimeout(DONE, 50)")),
    Case("a fragment", "<a href=#x>Go</a><h1 id=x>Title</h1>", shows="#x"),
    Case(
        "a route that loads its content",
        button("history.pushState(0, '', '/route');" + _FETCH),
        routes={"/data": Route(after=0.5)},
    ),
    Case(
        "a popup",
        button("window.open('/there')"),
        shows="Popup opened as tab 1",
        routes={"/there": _ARRIVED},
    ),
    Case(
        "a link to a new tab",
        "<a href=/there target=_blank>Go</a>",
        shows="Popup opened as tab 1",
        routes={"/there": _ARRIVED},
    ),
    Case(
        "a popup after a timer",
        button("setTimeout(() => window.open('/there'), 300)"),
        shows="Popup opened as tab 1",
        routes={"/there": _ARRIVED},
    ),
    Case(
        "a frame that is loaded",
        button("f.src = '/there'", "<iframe id=f></iframe>"),
        routes={"/there": Route("<h1>DONE</h1>", after=0.5)},
    ),
)

SCRIPTS = (
    Case("promises", button("Promise.resolve().then(() => 0).then(() => DONE())")),
    Case(
        "ten frames",
        button("let n = 0;const f = () => ++n < 10 ? requestAnimationFrame(f) : DONE();f()"),
    ),
    Case("an idle callback", button("requestIdleCallback(() => DONE())")),
    Case(
        "a message",
        button(
            "const c = new MessageChannel();c.port1.onmessage = () => DONE();c.port2.postMessage(0)"
        ),
    ),
    Case("a worker's answer", button(_WORKER)),
    Case(
        "a database",
        button(
            "const r = indexedDB.open('x' + Math.random());r.onsuccess = () => setTimeout(DONE, 50)"
        ),
    ),
    Case(
        "a counter that stops",
        button(
            "let n = 0;const t = setInterval(() => { out.textContent = ++n;"
            "if (n === 5) { clearInterval(t);DONE() } }, 60)"
        ),
    ),
    Case(
        "an element that goes after a while",
        button("setTimeout(() => { gone.remove();DONE() }, 300)", "<p id=gone>here</p>"),
    ),
    Case(
        "an attribute",
        '<button aria-expanded=false onclick="setTimeout(() => '
        "this.ariaExpanded = 'true', 250)\">Go</button>",
        shows="[expanded]",
    ),
    Case(
        "a shadow root",
        "<x-a></x-a><button onclick=\"setTimeout(() => host.shadowRoot.append('DONE'), 250)\">Go"
        "</button><script>const host = document.querySelector('x-a');"
        "host.attachShadow({mode: 'open'})</script>",
    ),
    Case(
        "a frame within",
        "<iframe srcdoc=\"<button onclick='setTimeout(() => document.body.append(`DONE`), 250)'>Go"
        '</button>"></iframe>',
    ),
    Case("a title", button("setTimeout(() => { document.title = 'DONE' }, 200)")),
    Case("while a clock ticks", button("setTimeout(DONE, 350)", _CLOCK), before=_THINK),
    Case(
        "a word that more is to come",
        button(
            "box.ariaBusy = 'true';setTimeout(() => { box.ariaBusy = 'false';DONE() }, 350)",
            "<div id=box>content</div>",
        ),
    ),
    Case(
        "a spinner that the act sets going",
        button(
            "box.style.animation = 'turn 1s linear infinite';"
            "setTimeout(() => { box.style.animation = '';DONE() }, 350)",
            f"<div id=box>content</div>{_SPINNER}",
        ),
    ),
    Case("while a spinner turns", button("setTimeout(DONE, 350)", _SPINNER)),
    Case("a fetch while a clock ticks", button(_FETCH, _CLOCK), routes={"/data": Route(after=0.8)}),
    Case(
        "late, on a page that is loading something else for ever",
        button("setTimeout(DONE, 350)", "<img src=/held>"),
        routes={"/held": Route(after=60)},
    ),
)

MOTION = (
    Case(
        "a transition whose end tells something",
        button(
            "box.ontransitionend = () => DONE();box.style.opacity = 0",
            "<div id=box style='transition: opacity .3s'>box</div>",
        ),
    ),
    Case(
        "an animation by script",
        button(
            "box.animate([{opacity: 0}], 300).finished.then(() => DONE())", "<div id=box>b</div>"
        ),
    ),
    Case(
        "a menu that fades in",
        "<style>nav { opacity: 0; visibility: hidden; transition: all .3s } .on { opacity: 1; "
        "visibility: visible }</style><button onclick=\"menu.className = 'on'\">Go</button>"
        "<nav id=menu><a href=/x>DONE</a></nav>",
        shows='link "DONE" [ref',
    ),
    Case(
        "a menu that opens by focus, in style alone",
        "<style>nav { opacity: 0; visibility: hidden; transition: all .3s } "
        "button:focus + nav { opacity: 1; visibility: visible }</style>"
        "<button>Go</button><nav><a href=/x>DONE</a></nav>",
        shows='link "DONE" [ref',
    ),
    Case(
        "a panel that slides in",
        "<style>aside { position: fixed; left: -300px; width: 200px; transition: left .3s } "
        ".on { left: 0 }</style><button onclick=\"side.className = 'on'\">Go</button>"
        "<aside id=side><button>DONE</button></aside>",
        shows='button "DONE" [ref',
    ),
)

WIDGETS = (
    Case("a modal dialog", button("d.showModal()", "<dialog id=d><p>DONE</p></dialog>")),
    Case(
        "a popover",
        "<button popovertarget=pop>Go</button><div popover id=pop>DONE</div>",
    ),
    Case("details", "<details><summary>Go</summary><p>DONE</p></details>"),
    Case(
        "what focus opens",
        "<button onfocus=\"setTimeout(() => out.append('DONE'), 100)\">Go</button><p id=out></p>",
    ),
    Case(
        "an alert after a fetch",
        button("fetch('/data').then(() => alert('DONE'))"),
        shows='"alert" dialog with message "DONE"',
        routes={"/data": Route(after=0.4)},
    ),
    Case(
        "a confirm by a timer",
        button("setTimeout(() => confirm('DONE'), 300)"),
        shows='"confirm" dialog with message "DONE"',
    ),
    Case(
        "a toast that goes again",
        button("out.textContent = 'DONE';setTimeout(() => { out.textContent = '' }, 5000)"),
    ),
    Case(
        "content that comes when it is scrolled to",
        button(
            "target.scrollIntoView()",
            "<div style='height: 3000px'></div><div id=target>end</div><script>"
            "new IntersectionObserver(e => { if (e.some(x => x.isIntersecting)) "
            "setTimeout(DONE, 100) }).observe(target)</script>",
        ),
    ),
    Case(
        "a list that is rendered anew",
        "<ul id=list></ul><script>let n = 0;function show() { list.innerHTML = "
        "`<li><button onclick='n++;setTimeout(show, 100)'>Go</button> ${n ? 'DONE' : ''}</li>` };"
        "show()</script>",
    ),
    Case(
        "a controlled field",
        "<input aria-label=Go id=f><p id=out></p><script>f.addEventListener('input', () => {"
        "const v = f.value;f.value = '';setTimeout(() => { f.value = v.toUpperCase();"
        "out.textContent = f.value }, 60) })</script>",
        tool="type",
        arguments={"text": "done"},
    ),
)

EFFECTS = (*TIMERS, *REQUESTS, *NAVIGATIONS, *SCRIPTS, *MOTION, *WIDGETS)
