"""Typing into fields of several kinds."""

from __future__ import annotations

import pytest

from tests.browser.page.agent import Agent
from tests.site import Site
from viewpoint_mcp.errors import ElementDisabledError, ElementError

VALUE = "document.querySelector('input, textarea').value"


@pytest.mark.parametrize(
    "html",
    [
        "<input>",
        "<input type=search>",
        "<input type=password>",
        "<input type=tel>",
        "<input type=url>",
        "<input type=nonsense>",
        "<textarea></textarea>",
        "<input value=before>",
        "<textarea>before</textarea>",
    ],
)
async def test_the_content_of_a_field_is_replaced(agent: Agent, html: str) -> None:
    await agent.open(html)
    await agent.type(await agent.page.find_element("input, textarea"), "héllo 日本")
    assert await agent.run(VALUE) == "héllo 日本"


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("email", "a@example.com"),
        ("number", "-12.5"),
        ("date", "2026-01-31"),
        ("time", "12:34"),
        ("datetime-local", "2026-01-31T12:34"),
        ("month", "2026-01"),
        ("week", "2026-W05"),
        ("color", "#ff0000"),
        ("range", "30"),
    ],
)
async def test_a_field_of_a_special_type_accepts_its_format(
    agent: Agent, kind: str, text: str
) -> None:
    await agent.open(f"<input type={kind}>")
    await agent.run(
        "() => { for (const type of ['input', 'change'])"
        "addEventListener(type, () => document.title += type + ' ') }"
    )
    await agent.type(await agent.page.find_element("input"), text)
    assert await agent.run(VALUE) == text
    assert "input" in str(await agent.run("document.title"))


@pytest.mark.parametrize(
    ("kind", "text"), [("date", "31.1.2026"), ("color", "red"), ("time", "noon"), ("range", "loud")]
)
async def test_a_value_that_the_field_does_not_take_is_an_error(
    agent: Agent, kind: str, text: str
) -> None:
    await agent.open(f"<input type={kind} aria-label=F>")
    with pytest.raises(ElementError, match=f'does not accept "{text}"'):
        await agent.type(await agent.page.find_element("input"), text)


@pytest.mark.parametrize(("kind", "text"), [("range", "1000"), ("color", "#zzz")])
async def test_a_value_that_the_field_changes_is_an_error(
    agent: Agent, kind: str, text: str
) -> None:
    """A range of 0 to 100 changes 1000 to 100. The reply must not report that 1000 was typed."""
    await agent.open(f"<input type={kind} aria-label=F>")
    with pytest.raises(ElementError):
        await agent.type(await agent.page.find_element("input"), text)


async def test_the_content_of_an_editable_element_is_replaced(agent: Agent) -> None:
    await agent.open("<div contenteditable role=textbox aria-label=Note>old <b>text</b></div>")
    await agent.type("textbox", "new text")
    assert await agent.run("document.querySelector('div').textContent") == "new text"


async def test_lines_are_kept_in_a_textarea(agent: Agent) -> None:
    await agent.open("<textarea></textarea>")
    await agent.type("textbox", "one\ntwo")
    assert await agent.run(VALUE) == "one\ntwo"


@pytest.mark.parametrize(
    "html",
    [
        "<input value=old>",
        "<textarea>old</textarea>",
        "<div contenteditable role=textbox>old</div>",
    ],
)
async def test_an_empty_text_empties_the_field(agent: Agent, html: str) -> None:
    await agent.open(html)
    await agent.type("textbox", "")
    source = "(e => e.value ?? e.textContent)(document.querySelector('input, textarea, div'))"
    assert await agent.run(source) == ""


async def test_an_empty_text_leaves_an_empty_field_alone(agent: Agent) -> None:
    await agent.open("<input onkeydown=\"document.title = 'key'\">")
    await agent.type("textbox", "")
    assert await agent.run("document.title") == ""


async def test_slowly_adds_key_by_key(agent: Agent) -> None:
    await agent.open("<input value=ab onkeydown=\"document.title += event.key + ','\">")
    await agent.type("textbox", "Cd!", slowly=True)
    assert await agent.run(VALUE) == "abCd!"
    assert "d" in str(await agent.run("document.title")).split(",")


async def test_slowly_works_in_an_editable_element(agent: Agent) -> None:
    await agent.open("<div contenteditable role=textbox>ab</div>")
    await agent.type("textbox", "cd", slowly=True)
    assert await agent.run("document.querySelector('div').textContent") == "abcd"


async def test_submit_sends_the_form(agent: Agent, site: Site) -> None:
    found = site.page("<h1>Found</h1>", path="/found")
    await agent.go(site.page("<form action=/found><input name=q></form>"))
    assert 'heading "Found"' in await agent.type("textbox", "word", submit=True)
    assert agent.page.url == f"{found}?q=word"


async def test_a_framework_that_tracks_its_value_notices_the_change(agent: Agent) -> None:
    """React sets a property on the element, which shows whether a script or a person changed the
    value.
    """
    await agent.open("<input type=date>")
    await agent.run(
        "() => { const field = document.querySelector('input');"
        "const own = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value');"
        "let known = ''; Object.defineProperty(field, 'value', {"
        "get() { return own.get.call(this) }, set(v) { known = v; own.set.call(this, v) }});"
        "field.addEventListener('input', () => { if (field.value !== known)"
        "document.title = 'heard' }) }"
    )
    await agent.type(await agent.page.find_element("input"), "2026-01-31")
    assert await agent.run("document.title") == "heard"


async def test_a_label_is_typed_into_its_field(agent: Agent) -> None:
    await agent.open("<label id=l>Name <input></label>")
    await agent.type(await agent.page.find_element("#l"), "Ann")
    assert await agent.run(VALUE) == "Ann"


async def test_a_wrapper_is_typed_into_its_only_field(agent: Agent) -> None:
    await agent.open("<div id=w><span>Name</span><input></div>")
    await agent.type(await agent.page.find_element("#w"), "Ann")
    assert await agent.run(VALUE) == "Ann"


async def test_a_field_in_a_shadow_root_is_typed_into(agent: Agent) -> None:
    await agent.open("<div id=host></div>")
    await agent.run(
        "() => { host.attachShadow({mode: 'open'}).innerHTML = '<input aria-label=In>' }"
    )
    await agent.type("textbox", "Ann")
    assert await agent.run("host.shadowRoot.firstChild.value") == "Ann"


@pytest.mark.parametrize(
    ("html", "words"),
    [
        ("<input disabled>", "disabled"),
        ("<fieldset disabled><input></fieldset>", "disabled"),
        ("<input readonly>", "read-only"),
        ("<textarea readonly></textarea>", "read-only"),
        ("<input type=checkbox>", "not a text field"),
        ("<input type=submit>", "not a text field"),
    ],
)
async def test_an_element_that_takes_no_text_is_reported(
    agent: Agent, html: str, words: str
) -> None:
    await agent.open(html)
    with pytest.raises(ElementDisabledError, match=words):
        await agent.type(await agent.page.find_element("input, textarea"), "x")


async def test_typing_into_a_button_is_refused(agent: Agent) -> None:
    await agent.open("<button>Go</button>")
    with pytest.raises(ElementError, match="not a text field"):
        await agent.type("button", "x")


async def test_a_password_is_not_shown(agent: Agent) -> None:
    await agent.open("<input type=password aria-label=Secret>")
    text = await agent.type(await agent.page.find_element("input"), "hunter2")
    assert "hunter2" not in text


async def test_a_field_that_becomes_enabled_a_little_later_is_typed_into(
    patient_agent: Agent,
) -> None:
    await patient_agent.open("<input id=field disabled>")
    field = await patient_agent.page.find_element("#field")
    await patient_agent.run("() => { setTimeout(() => { field.disabled = false }, 200) }")
    await patient_agent.type(field, "late")
    assert await patient_agent.run("field.value") == "late"
