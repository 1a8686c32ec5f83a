"""Pages that do their worst to scripts: the snapshot stays right and a click still clicks."""

from __future__ import annotations

import pytest

from tests.browser.page.agent import Agent
from tests.site import Site
from viewpoint_mcp.errors import PageError
from viewpoint_mcp.page.page import Page

CONTENT = """
<h1>Title</h1><p>Some <b>text</b> and <a href=/x>a link</a></p>
<label>Name <input value=Ann></label><x-open></x-open>
<button id=go>Go</button><ul><li>One</li><li>Two</li></ul>
"""
SNAPSHOT = """\
- heading "Title" [level=1]
- paragraph: Some text and | link "a link" [ref=e1] -> /x
- textbox "Name" [ref=e2]: Ann
- button "In root" [ref=e3]
- button "Go" [ref=e4]
- list: One | Two"""
# The page's own script runs first, then it changes the globals.
START = """
document.querySelector('x-open').attachShadow({mode: 'open'}).innerHTML =
  '<button>In root</button>';
go.addEventListener('click', () => { go.firstChild.data = 'HIT' });
const boom = () => { throw new Error('boom') };
"""
THROW_IN_EVERY_ACCESSOR = """
for (const name of Object.getOwnPropertyNames(window)) {
  const prototype = window[name]?.prototype;
  if (!prototype || [Function, Object, Error].includes(window[name])) continue;
  for (const key of Object.getOwnPropertyNames(prototype)) {
    if (key === 'constructor' || key === 'data') continue;
    try { Object.defineProperty(prototype, key, {get: boom, set: boom}) } catch {}
  }
}
"""
ATTACKS = {
    "getters": THROW_IN_EVERY_ACCESSOR,
    "prototypes": """
        for (const type of [Node, Element, HTMLElement, Document, Array, Map, Set, WeakMap, WeakRef,
                            RegExp, String, Promise])
          for (const key of Object.getOwnPropertyNames(type.prototype))
            try { if (key !== 'constructor' && key !== 'data') type.prototype[key] = boom } catch {}
    """,
    "Object.prototype": """
        for (const key of ['get', 'set', 'value', 'ref', 'role', 'name', 'next', 'enumerable'])
          Object.defineProperty(Object.prototype, key, {get: boom, set: boom});
        Object.prototype.toJSON = boom;
        Array.prototype.toJSON = () => ['fake'];
        String.prototype.toJSON = () => 'fake';
    """,
    "Function.prototype": """
        Function.prototype.call = Function.prototype.apply = Function.prototype.bind = boom;
    """,
    "JSON": "JSON.stringify = () => '{\"nodes\": []}'; JSON.parse = boom; delete window.JSON;",
    "observers": """
        window.MutationObserver = MutationObserver.prototype.observe = boom;
        window.requestAnimationFrame = boom; window.setTimeout = boom;
        performance.now = () => NaN; Date.now = () => 0; window.Promise = boom;
    """,
    "queries": """
        document.querySelectorAll = document.querySelector = document.getElementById = boom;
        Document.prototype.elementFromPoint = () => document.body;
        window.getComputedStyle = () => ({display: 'none', visibility: 'hidden'});
        Element.prototype.getBoundingClientRect = () => new DOMRect(0, 0, 0, 0);
    """,
    "customElements": """
        customElements.define = customElements.get = boom;
        Element.prototype.attachShadow = boom;
        Object.defineProperty(Element.prototype, 'shadowRoot', {get: () => null});
    """,
    "proxies": """
        for (const name of ['getComputedStyle', 'Element', 'Node', 'WeakMap', 'Map'])
          window[name] = new Proxy(window[name], {get: boom, apply: boom, construct: boom});
        Object.setPrototypeOf(Node.prototype, new Proxy({}, {get: boom, has: boom}));
    """,
    "freeze": """
        for (const each of [window, document, Object.prototype, Array.prototype, Node.prototype])
          try { Object.freeze(each) } catch {}
    """,
    "iterators": "Array.prototype[Symbol.iterator] = Map.prototype[Symbol.iterator] = boom;",
    "globals": """
        for (const key of Object.getOwnPropertyNames(window))
          try { if (!['go', 'boom'].includes(key)) delete window[key] } catch {}
        window.document = null;
    """,
}


@pytest.mark.parametrize("attack", ATTACKS)
async def test_changes_of_the_pages_globals_do_not_reach_the_isolated_world(
    agent: Agent, attack: str
) -> None:
    text = await agent.open(f"{CONTENT}<script>{START}{ATTACKS[attack]}</script>")
    assert text == SNAPSHOT
    assert 'button "HIT"' in await agent.click('button "Go"')
    assert "Ben" in await agent.type('textbox "Name"', "Ben")


# fmt: off
FIELDS = [
    "parentNode", "children", "tagName", "attributes", "getAttribute", "nodeType", "firstChild",
    "shadowRoot", "ownerDocument", "nextSibling", "childNodes", "localName", "namespaceURI",
    "hasAttribute", "matches", "closest", "isConnected", "getRootNode", "contains", "textContent",
    "tabIndex", "isContentEditable", "getBoundingClientRect", "getClientRects", "scrollIntoView",
    "checkVisibility", "querySelectorAll", "focus", "select", "value", "type", "dispatchEvent",
    "offsetWidth", "assignedSlot", "getAnimations", "addEventListener", "parentElement", "id",
]
DOCUMENT_MEMBERS = [
    "body", "documentElement", "title", "activeElement", "querySelectorAll", "getElementById",
    "hidden", "elementFromPoint", "getAnimations", "createTreeWalker", "styleSheets",
    "adoptedStyleSheets", "hasFocus", "defaultView", "location", "readyState", "implementation",
    "all", "forms",
]
# fmt: on


async def test_fields_named_like_dom_properties_do_not_replace_them(agent: Agent) -> None:
    fields = "".join(f"<input name={name} aria-label='{name}'>" for name in FIELDS)
    text = await agent.open(f"<form aria-label=F>{fields}<button type=button>Go</button></form>")
    assert text.startswith('- form "F":\n')
    assert [f'- textbox "{name}" [ref=' in text for name in FIELDS] == [True] * len(FIELDS)
    assert "Ann" in await agent.type('textbox "parentNode"', "Ann")


async def test_a_form_that_is_edited_itself_is_typed_into(agent: Agent) -> None:
    fields = "".join(f"<input type=hidden name={name}>" for name in FIELDS)
    await agent.open(f"<form contenteditable aria-label=Note>Old{fields}</form>")
    text = await agent.type("Note", "New words")
    assert "New words" in text
    assert "Old" not in text


@pytest.mark.parametrize("tag", ["img", "form", "embed", "iframe", "object"])
async def test_names_that_shadow_the_documents_members_are_just_names(
    agent: Agent, tag: str
) -> None:
    shadows = "".join(f"<{tag} name={name} hidden></{tag}>" for name in DOCUMENT_MEMBERS)
    text = await agent.open(f"{shadows}{CONTENT}<script>{START}</script>")
    assert text == SNAPSHOT
    assert 'button "HIT"' in await agent.click('button "Go"')
    await agent.page.wait_for_text("HIT", 2.0)


def nested(levels: int) -> str:
    return (
        "<h1>Top</h1><script>let at = document.body;"
        f"for (let i = 0; i < {levels}; i++) at = at.appendChild(document.createElement('div'));"
        "at.innerHTML = '<button>Deep</button>'</script>"
    )


@pytest.mark.parametrize(
    "html", [f"<h1>Top</h1>{'<div>' * 2000}<button>Deep</button>{'</div>' * 2000}", nested(2000)]
)
async def test_deep_nesting_is_read(agent: Agent, html: str) -> None:
    text = await agent.open(html)
    assert 'heading "Top"' in text
    assert 'button "Deep"' in text


async def test_nesting_that_crashes_the_renderer_is_reported_as_a_crash(agent: Agent) -> None:
    # Layout recurses: Chromium 156 crashes at about 3,000 levels even without a snapshot.
    with pytest.raises(PageError, match="crashed"):
        await agent.load(nested(50_000))
    assert 'heading "After"' in await agent.open("<h1>After</h1>")


async def test_a_handler_that_rewrites_the_document_is_followed(agent: Agent) -> None:
    await agent.open(
        "<button onclick=\"document.open(); document.write('<h1>New</h1><button>Next</button>');"
        'document.close()">Go</button>'
    )
    text = await agent.click('button "Go"')
    assert 'heading "New"' in text
    assert 'button "Next"' in text


async def test_an_open_document_that_is_never_closed_is_read(agent: Agent) -> None:
    await agent.open(
        "<button onclick=\"document.open(); document.write('<h1>Open</h1>')\">Go</button>"
    )
    assert 'heading "Open"' in await agent.click('button "Go"')


async def test_getters_of_the_page_are_not_run_by_the_walk(agent: Agent) -> None:
    await agent.open(
        f"{CONTENT}<script>{START} window.touched = 0;"
        "for (const each of document.querySelectorAll('*')) for (const key of ['shadowRoot',"
        "'parentNode', 'firstChild', 'tagName', 'id', 'toJSON', 'textContent'])"
        "Object.defineProperty(each, key, {get() { window.touched++; document.body.remove() }})"
        "</script>"
    )
    assert await agent.snapshot() == SNAPSHOT
    assert await agent.page.evaluate("window.touched") == "0"


async def test_a_page_that_always_changes_is_read_at_one_moment(
    agent: Agent,
) -> None:
    await agent.open(
        "<p id=a>0</p><p id=b>0</p><script>let i = 0; const step = () => { i++;"
        "a.textContent = i; b.textContent = i; queueMicrotask(() => {});"
        "new MessageChannel().port1.postMessage(0) }; setInterval(step, 0)</script>"
    )
    for _ in range(5):
        first, second = (line.split(": ")[1] for line in (await agent.snapshot()).split("\n"))
        assert first == second


CSP = "script-src 'none'; require-trusted-types-for 'script'; trusted-types 'none'"


async def test_a_content_security_policy_does_not_apply_to_the_isolated_world(
    agent: Agent, site: Site
) -> None:
    page = site.page(
        "<details><summary>Go</summary>HIT</details><input aria-label=Name>"
        "<div><template shadowrootmode=closed><p>Closed</p></template></div>",
        headers={"Content-Security-Policy": CSP},
    )
    assert "Closed" in await agent.go(page)
    assert "HIT" in await agent.click('button "Go"')
    assert "Ann" in await agent.type('textbox "Name"', "Ann")


async def test_the_page_cannot_see_the_in_page_scripts(page: Page) -> None:
    agent = Agent(page)
    await agent.open(
        "<p>Text</p><script>window.before = Object.getOwnPropertyNames(window).join()</script>"
    )
    seen = "Object.getOwnPropertyNames(window).filter(k => !before.split(',').includes(k)).join()"
    assert await page.evaluate(seen) == "before"
