"""Choosing from native lists."""

from __future__ import annotations

import pytest

from tests.browser.page.agent import Agent
from tests.site import Site
from viewpoint_mcp.errors import ElementDisabledError, ElementError

COUNTRIES = """<label>Country <select id=s>
<option value="">Please choose</option>
<optgroup label=Europe><option value=de>Germany</option>
<option value=fr> France </option></optgroup>
<option value=us label="United States">USA</option><option value=xx disabled>Nowhere</option>
</select></label><script>
for (const type of ['focus', 'input', 'change'])
  s.addEventListener(type, (event) => { document.title += `${type}:${s.value}:${event.bubbles};` })
</script>"""
SEVERAL = (
    "<select id=s multiple aria-label=Toppings>"
    "<option>Ham<option selected>Olives<option>Corn</select>"
)
CHOSEN = "[...s.selectedOptions].map((option) => option.text.trim()).join()"


@pytest.mark.parametrize(
    ("value", "chosen"),
    [
        ("de", "Germany"),
        ("Germany", "Germany"),
        ("France", "France"),
        (" france ", "France"),
        ("United States", "USA"),
        ("USA", "USA"),
        ("", "Please choose"),
    ],
)
async def test_an_option_is_chosen_by_its_value_or_its_label(
    agent: Agent, value: str, chosen: str
) -> None:
    await agent.open(COUNTRIES)
    await agent.run("s.selectedIndex = 4")
    assert await agent.select("combobox", value)
    assert await agent.run(CHOSEN) == chosen


async def test_the_page_receives_the_events_of_a_person(agent: Agent) -> None:
    await agent.open(COUNTRIES)
    assert await agent.select("combobox", "de") == 'Selected "Germany" in combobox "Country"'
    assert await agent.run("document.title") == "focus::false;input:de:true;change:de:true;"


async def test_an_option_that_is_chosen_already_is_reported_and_changes_nothing(
    agent: Agent,
) -> None:
    await agent.open(COUNTRIES)
    await agent.run("s.value = 'fr'")
    result = await agent.select("combobox", "fr")
    assert result == '"France" was already selected in combobox "Country"'
    assert "change" not in str(await agent.run("document.title"))


async def test_an_option_that_is_not_there_is_refused_with_those_that_are(agent: Agent) -> None:
    await agent.open(COUNTRIES)
    with pytest.raises(ElementError) as caught:
        await agent.select("combobox", "Atlantis")
    assert str(caught.value) == (
        'combobox "Country" has no option "Atlantis". '
        'It has "Please choose", "Germany", "France", "United States".'
    )
    assert await agent.run("document.title") == ""


async def test_the_first_of_many_options_are_listed(agent: Agent) -> None:
    options = "".join(f"<option>Number {n}" for n in range(50))
    await agent.open(f"<select aria-label=Many>{options}</select>")
    with pytest.raises(ElementError, match='"Number 19" and 30 more'):
        await agent.select("combobox", "x")


async def test_a_disabled_option_is_refused(agent: Agent) -> None:
    await agent.open(COUNTRIES)
    with pytest.raises(ElementDisabledError, match='option "xx" of combobox "Country" is disabled'):
        await agent.select("combobox", "xx")


async def test_a_disabled_list_is_refused(agent: Agent) -> None:
    await agent.open("<select disabled><option>a</select>")
    with pytest.raises(ElementDisabledError, match="disabled"):
        await agent.select(await agent.page.find_element("select"), "a")


@pytest.mark.parametrize("values", [(), ("de", "fr")])
async def test_a_single_choice_list_accepts_one_value(
    agent: Agent, values: tuple[str, ...]
) -> None:
    await agent.open(COUNTRIES)
    with pytest.raises(ElementError, match="accepts one option"):
        await agent.select("combobox", *values)


@pytest.mark.parametrize(
    ("values", "chosen"),
    [(("Ham", "Corn"), "Ham,Corn"), (("Olives", "Ham"), "Ham,Olives"), ((), "")],
)
async def test_of_a_list_of_several_exactly_those_are_chosen(
    agent: Agent, values: tuple[str, ...], chosen: str
) -> None:
    await agent.open(SEVERAL)
    await agent.select("listbox", *values)
    assert await agent.run(CHOSEN) == chosen


async def test_options_that_come_late_are_waited_for(patient_agent: Agent) -> None:
    await patient_agent.open("<select id=s disabled></select>")
    await patient_agent.run(
        "() => { setTimeout(() => { s.disabled = false;s.innerHTML = '<option>a<option>b' }, 200) }"
    )
    await patient_agent.select(await patient_agent.page.find_element("#s"), "b")
    assert await patient_agent.run(CHOSEN) == "b"


async def test_a_choice_that_the_page_reverts_is_an_error(agent: Agent) -> None:
    await agent.open(
        "<select onchange='setTimeout(() => { value = 2 }, 50)'>"
        "<option>1<option>2<option>3</select>"
    )
    with pytest.raises(ElementError, match='did not keep "3": "2" is selected'):
        await agent.select("combobox", "3")


async def test_content_that_the_choice_loads_is_awaited(agent: Agent, site: Site) -> None:
    site.respond("/cities", "Berlin")
    await agent.go(site.page(COUNTRIES + "<p id=p></p>"))
    await agent.run(
        "() => { s.onchange = async () => {"
        " p.textContent = await (await fetch('/cities')).text() } }"
    )
    await agent.select("combobox", "de")
    assert await agent.run("p.textContent") == "Berlin"


async def test_a_list_drawn_by_the_page_style_is_chosen_from(agent: Agent) -> None:
    await agent.open(
        "<style>select, ::picker(select) { appearance: base-select }</style>" + COUNTRIES
    )
    await agent.select("combobox", "Germany")
    assert await agent.run(CHOSEN) == "Germany"


@pytest.mark.parametrize(
    "style",
    [
        "position:absolute;width:1px;height:1px;clip:rect(0 0 0 0);overflow:hidden",
        "position:absolute;width:.5px;padding:0;border:0;opacity:0",
        "position:absolute;left:-9999px",
    ],
)
async def test_a_list_that_cannot_be_seen_is_set_without_the_focus(
    agent: Agent, style: str
) -> None:
    await agent.open(
        f"<select id=s style='{style}'><option>One<option>Two</select><button id=b>One</button>"
        "<ul id=l hidden><li>One<li>Two</ul><script>s.onfocus = () => { l.hidden = false };"
        "s.onchange = () => { b.textContent = s.value }</script>"
    )
    await agent.select(await agent.page.find_element("#s"), "Two")
    assert await agent.run("[s.value, b.textContent, l.hidden].join()") == "Two,Two,true"


@pytest.mark.parametrize("what", ["label", "#w"])
async def test_a_label_or_a_wrapper_selects_in_its_list(agent: Agent, what: str) -> None:
    await agent.open(f"<div id=w>{COUNTRIES}</div>")
    await agent.select(await agent.page.find_element(what), "de")
    assert await agent.run(CHOSEN) == "Germany"


async def test_a_list_in_a_frame_and_a_shadow_root_is_chosen_from(agent: Agent) -> None:
    inner = (
        "<div><template shadowrootmode=open><select><option>a<option>b</select></template></div>"
    )
    await agent.open(f"<iframe srcdoc='{inner}'></iframe>")
    await agent.select("combobox", "b")
    source = "frames[0].document.querySelector('div').shadowRoot.querySelector('select').value"
    assert await agent.run(source) == "b"


async def test_a_field_with_a_datalist_accepts_a_suggestion(agent: Agent) -> None:
    await agent.open(
        "<input id=f list=l aria-label=Fruit oninput=\"document.title += 'input'\">"
        "<datalist id=l><option value=ap>Apple<option value=pe>Pear</datalist>"
    )
    assert await agent.select("combobox", "Pear") == 'Selected "pe" in combobox "Fruit"'
    assert await agent.run("f.value + document.title") == "peinput"
    with pytest.raises(ElementError, match='It has "Apple", "Pear"'):
        await agent.select("combobox", "Plum")


@pytest.mark.parametrize(
    "html", ["<button>Go</button>", "<a href=/x>Go</a>", "<input aria-label=Go>"]
)
async def test_an_element_without_options_is_not_clicked(agent: Agent, html: str) -> None:
    await agent.open(html)
    with pytest.raises(ElementDisabledError, match="is not a list of options"):
        await agent.select("Go", "a")
