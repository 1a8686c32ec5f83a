"""Pages on which the target cannot be clicked, or only seems so. Each counts the clicks on its
target: a reply must report a click exactly if there was one.
"""

from __future__ import annotations

from dataclasses import replace

from tests.prove.matrix.case import Case

_HIT = 'onclick="top.hits = (top.hits || 0) + 1"'
_GO = f"<button {_HIT}>Go</button>"
_OVER = "position: fixed; inset: 0; background: white"

NEVER_HIT = (
    Case("covered by a layer", f"{_GO}<div style='{_OVER}'>Cookies</div>"),
    Case(
        "covered by a layer in a shadow root",
        f"{_GO}<x-a></x-a><script>document.querySelector('x-a').attachShadow({{mode: 'closed'}})"
        f".innerHTML = `<div style='{_OVER}'>Cookies</div>`</script>",
    ),
    Case("behind a modal dialog", f"{_GO}<dialog id=d>Sure?</dialog>", before="d.showModal()"),
    Case(
        "covered by a frame",
        f"{_GO}<iframe style='{_OVER}; width: 100%; height: 100%' srcdoc='<p>Ad'></iframe>",
    ),
    Case("disabled", f"<button disabled {_HIT}>Go</button>"),
    Case("in a disabled fieldset", f"<fieldset disabled>{_GO}</fieldset>"),
    Case("made inert", f"<div id=d>{_GO}</div>", before="d.inert = true"),
    Case("out of the pointer's reach", f"<button style='pointer-events: none' {_HIT}>Go</button>"),
    Case(
        "left of the page",
        f"<button id=d {_HIT}>Go</button>",
        before="d.style = 'position: absolute; left: -500px'",
    ),
    Case("removed", f"<div id=d>{_GO}</div>", before="d.remove()"),
    Case("hidden", f"<div id=d>{_GO}</div>", before="d.style.display = 'none'"),
    Case("made invisible", f"<div id=d>{_GO}</div>", before="d.style.visibility = 'hidden'"),
    Case("gone with its parent's content", f"<div id=d>{_GO}</div>", before="d.innerHTML = ''"),
    Case(
        "clipped away",
        f"<div id=d style='overflow: clip; height: 60px'>{_GO}</div>",
        before="d.style.height = '0px'",
    ),
    Case(
        "recycled for another row",
        f"<div role=button tabindex=0 id=d {_HIT}>Go</div>",
        before="d.textContent = 'Delete everything'",
    ),
    Case(
        "replaced by one that looks the same",
        f"<div id=d>{_GO}</div>",
        before="d.innerHTML = d.innerHTML",
    ),
    Case(
        "moving for ever",
        "<style>@keyframes m { to { transform: translateX(500px) } } button { animation: m .4s "
        f"linear infinite alternate }}</style>{_GO}",
    ),
    Case(
        "resting for two frames at a time",
        "<style>@keyframes m { to { opacity: .5 } } button { animation: m .4s infinite }</style>"
        f"{_GO}<script>let n = 0; const move = () => {{ requestAnimationFrame(move);"
        " document.querySelector('button').style.translate = (++n >> 1) % 2 * 300 + 'px' }; move()"
        "</script>",
    ),
    Case(
        "covered as soon as the mouse comes",
        f"<button onmouseover=\"l.style.display = 'block'\" {_HIT}>Go</button>"
        f"<div id=l style='display: none; {_OVER}'>Layer</div>",
    ),
    Case(
        "taken out of the page when the mouse comes",
        f'<button onmouseover="this.remove()" {_HIT}>Go</button><p>rest</p>',
    ),
)

HIT = (
    Case(
        "an overlay that lets clicks through",
        f"{_GO}<div style='{_OVER}; pointer-events: none; background: none'></div>",
    ),
    Case("below the fold", f"<div style='height: 4000px'></div>{_GO}"),
    Case(
        "in a scroller in a scroller",
        f"<div style='height: 200px; overflow: auto'><div style='height: 900px'></div>"
        f"<div style='height: 100px; overflow: auto'><div style='height: 700px'></div>{_GO}"
        "<div style='height: 700px'></div></div></div>",
    ),
    Case(
        "under a sticky header, after scrolling",
        "<header style='position: sticky; top: 0; height: 400px; background: red'>Head</header>"
        f"<div style='height: 3000px'></div>{_GO}<div style='height: 3000px'></div>",
        before="scrollTo(0, 5000)",
    ),
    Case("in a frame", f"<iframe srcdoc='{_GO.replace(chr(39), chr(34))}'></iframe>"),
    Case(
        "turned and scaled",
        f"<div style='margin: 200px; width: 200px; transform: rotate(30deg) scale(.7)'>{_GO}</div>",
    ),
    Case(
        "enabled a little later",
        f"<button disabled id=b {_HIT}>Go</button>",
        before="setTimeout(() => { b.disabled = false }, 250)",
    ),
    Case(
        "moving in",
        "<style>@keyframes m { from { transform: translateX(600px) } } .on { animation: m .6s }"
        f"</style><button id=b {_HIT}>Go</button>",
        before="b.className = 'on'",
    ),
    Case(
        "moved once when the mouse comes",
        f"<button id=b style='position: absolute; left: 50px; top: 50px' onmouseover=\""
        f"b.style.left = '400px'\" {_HIT}>Go</button>",
    ),
    Case(
        "covered by what fades away",
        f"<style>.off {{ opacity: 0; visibility: hidden; transition: all .5s }}</style>{_GO}"
        f"<div id=l style='{_OVER}'>Layer</div>",
        before="l.className = 'off'",
    ),
    Case(
        "a link over two lines",
        "<p style='width: 90px'>Some words and <a href=#x onclick=\""
        'top.hits = 1">Go to the very far end of it</a></p>',
        on="Go to the very far end of it",
    ),
    Case(
        "with a smooth scroll",
        f"<style>html {{ scroll-behavior: smooth }}</style><div style='height: 5000px'></div>{_GO}",
    ),
    Case(
        "shown within a shadow root",
        "<x-a></x-a><script>document.querySelector('x-a').attachShadow({mode: 'closed'})"
        f".innerHTML = `{_GO}`</script>",
    ),
)

REFUSED = tuple(replace(case, shows="### Error") for case in NEVER_HIT)
CLICKED = tuple(replace(case, shows="Clicked") for case in HIT)
