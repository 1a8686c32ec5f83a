"""Choosing from lists that a page draws itself, by opening them."""

from __future__ import annotations

import pytest

from tests.browser.page.agent import Agent
from tests.site import Site
from viewpoint_mcp.errors import ElementDisabledError, ElementError

# A combobox that only selects; its list is drawn at the end of the document while it is open.
PORTAL = """<div id=c role=combobox aria-label=Size aria-haspopup=listbox aria-expanded=false
  aria-controls=l tabindex=0 style="width:200px;border:1px solid">Choose</div>
<p>Large is not an option here: <span>Large</span></p><script>
let opened = 0, changed = 0
c.addEventListener('mousedown', () => {
  if (document.getElementById('l')) return l.remove()
  opened += 1
  c.ariaExpanded = 'true'
  setTimeout(() => {
    document.body.insertAdjacentHTML('beforeend', `<ul id=l role=listbox>${
      ['Small', 'Medium', 'Large', 'Huge'].map((t, i) => `<li role=option data-value=${i}
        aria-selected=${t === c.textContent} aria-disabled=${t === 'Huge'}>${t}</li>`).join('')
    }</ul>`)
    l.addEventListener('click', (event) => {
      if (window.broken) return
      if (c.textContent !== event.target.textContent) changed += 1
      c.textContent = event.target.textContent; c.ariaExpanded = 'false'; l.remove() })
  }, 100)
})
</script>"""

# A combobox with a filter. The chosen value is shown beside the field, which is empty.
FILTERED = """<div id=box style="display:flex;width:300px;border:1px solid"><span id=one></span>
<input id=c role=combobox aria-label=Colour aria-autocomplete=list aria-expanded=false></div>
<div id=menu></div><script>
const all = Array.from({ length: 60 }, (_, i) => `Colour ${i}`)
function draw() {
  if (window.remote && !c.value) return
  const shown = all.filter((t) => t.includes(c.value)).slice(0, 10)
  const options = shown.map((t) => `<div role=option>${t}</div>`).join('')
  menu.innerHTML = `<div id=l role=listbox>${options}</div>`
  c.setAttribute('aria-controls', 'l')
}
box.addEventListener('mousedown', () => { c.focus(); draw() })
c.addEventListener('input', () => window.remote
  ? fetch('/colours').then((r) => r.text()).then(draw) : setTimeout(draw, 50))
menu.addEventListener('click', (event) => {
  one.textContent = event.target.textContent; c.value = ''; menu.innerHTML = '' })
</script>"""

LISTBOX = """<ul id=l role=listbox aria-label=Pets tabindex=0 MULTI>
<li role=option aria-selected=false>Cat</li><li role=option aria-selected=true>Dog</li>
<li role=option aria-selected=false>Owl</li></ul><script>
let clicks = 0
l.addEventListener('click', ({ target }) => { clicks += 1
  if (l.ariaMultiSelectable !== 'true') for (const o of l.children) o.ariaSelected = 'false'
  target.ariaSelected =
    l.ariaMultiSelectable === 'true' ? String(target.ariaSelected !== 'true') : 'true' })
</script>"""
PETS = "[...l.querySelectorAll('[aria-selected=true]')].map((o) => o.textContent).join()"

# Draws only the visible ones of a thousand options.
VIRTUAL = """<button id=c aria-haspopup=listbox aria-controls=l aria-label=City>City</button>
<div id=l role=listbox style="display:none;height:200px;overflow:auto;position:relative">
<div style="height:20000px"></div></div><script>
function draw() {
  for (const old of l.querySelectorAll('[role=option]')) old.remove()
  const first = Math.floor(l.scrollTop / 20)
  for (let i = first; i < Math.min(first + 12, 1000); i += 1) l.insertAdjacentHTML('beforeend',
    `<div role=option style="position:absolute;height:20px;top:${i * 20}px">City ${i}</div>`)
}
c.onclick = () => { l.style.display = 'block'; draw() }
l.onscroll = () => requestAnimationFrame(draw)
l.onclick = ({ target }) => {
  c.textContent = c.ariaLabel = target.textContent; l.style.display = 'none' }
</script>"""

# A combobox that always shows "none". The chosen value is shown elsewhere on the page.
FILTERS = """<div id=c role=combobox aria-label=Filters aria-controls=l aria-expanded=false
tabindex=0 style="width:200px">none</div><script>let taken = ''
c.onclick = () => { c.ariaExpanded = 'true'; document.body.insertAdjacentHTML('beforeend',
  `<ul id=l role=listbox aria-multiselectable=MANY><li role=option>Open</li></ul>`)
  l.onclick = ({ target }) => {
    taken += target.textContent; c.ariaExpanded = 'false'; l.remove() } }
</script>"""

# No roles at all.
PLAIN = """<div id=c style="cursor:pointer;width:100px" onclick="m.hidden = !m.hidden">
<span id=t>Pick</span></div><ul id=m hidden><li>Red</li><li>Green</li></ul><p>Red</p><script>
m.onclick = ({ target }) => { t.textContent = target.textContent; m.hidden = true }
</script>"""


# A field that cannot be typed into, with a list of several choices. Like a framework, it computes
# the next choice from the one that it drew last, and draws late.
LATE = """<input id=c role=combobox aria-label=Colour aria-expanded=false aria-controls=l
readonly value=Red ATTRIBUTES><ul id=l role=listbox aria-multiselectable=true hidden>
<li role=option aria-selected=true>Red</li><li role=option aria-selected=false>Green</li>
<li role=option aria-selected=false>Blue</li></ul><script>
let drawn = ['Red']
c.onclick = () => { l.hidden = false; c.ariaExpanded = 'true' }
l.onclick = ({ target: { textContent: one } }) => {
  const next = drawn.includes(one) ? drawn.filter((each) => each !== one) : [...drawn, one]
  setTimeout(() => {
    drawn = next
    c.value = drawn.join()
    for (const each of l.children) each.ariaSelected = String(drawn.includes(each.textContent))
  }, 100)
}
</script>"""


async def test_a_list_drawn_elsewhere_is_opened_and_clicked(agent: Agent) -> None:
    await agent.open(PORTAL)
    assert await agent.select("combobox", "Large") == 'Selected "Large" in combobox "Size"'
    assert await agent.run("c.textContent + changed") == "Large1"


async def test_an_option_is_found_by_its_value(agent: Agent) -> None:
    await agent.open(PORTAL)
    assert await agent.select("combobox", "1") == 'Selected "Medium" in combobox "Size"'


async def test_a_list_that_is_open_is_not_opened_again(agent: Agent) -> None:
    await agent.open(PORTAL)
    await agent.click("combobox")
    await agent.select("combobox", "Small")
    assert await agent.run("c.textContent + opened") == "Small1"


async def test_a_list_whose_option_is_chosen_already_is_not_opened(agent: Agent) -> None:
    await agent.open(PORTAL)
    await agent.select("combobox", "Small")
    result = await agent.select("combobox", "Small")
    assert result == '"Small" was already selected in combobox "Size"'
    assert await agent.run("`${opened} ${changed}`") == "1 1"


async def test_a_missing_option_is_refused_with_the_list_of_options(agent: Agent) -> None:
    await agent.open(PORTAL)
    with pytest.raises(ElementError, match=r'no option "Tiny"\. It has "Small", "Medium", "Large"'):
        await agent.select("combobox", "Tiny")


async def test_a_disabled_option_is_not_clicked(agent: Agent) -> None:
    await agent.open(PORTAL)
    with pytest.raises(ElementDisabledError, match='"Huge" of combobox "Size" is disabled'):
        await agent.select("combobox", "Huge")
    assert await agent.run("changed") == "0"


async def test_a_choice_that_changes_nothing_is_an_error(agent: Agent) -> None:
    await agent.open(PORTAL)
    await agent.run("() => { window.broken = true }")
    with pytest.raises(
        ElementError, match='"Large" was clicked, but combobox "Size" shows "Choose"'
    ):
        await agent.select("combobox", "Large")


@pytest.mark.parametrize("many", ["false", "true"])
async def test_a_successful_choice_is_no_error_although_the_control_keeps_its_label(
    agent: Agent, many: str
) -> None:
    await agent.open(FILTERS.replace("MANY", many))
    result = await agent.select("combobox", "Open")
    assert result == 'Clicked "Open" in combobox "Filters", which still shows "none"'
    assert await agent.run("taken") == "Open"


async def test_several_values_for_one_choice_are_refused(agent: Agent) -> None:
    await agent.open(PORTAL)
    with pytest.raises(ElementError, match="accepts one option"):
        await agent.select("combobox", "Small", "Large")
    assert await agent.run("changed") == "0"


async def test_an_option_out_of_sight_of_a_filter_is_typed_for(agent: Agent) -> None:
    await agent.open(FILTERED)
    assert await agent.select("combobox", "Colour 3") == 'Selected "Colour 3" in combobox "Colour"'
    assert (
        await agent.select("combobox", "Colour 42") == 'Selected "Colour 42" in combobox "Colour"'
    )
    assert await agent.run("one.textContent") == "Colour 42"


async def test_a_filter_that_leaves_no_option_is_refused_with_the_options_before_it(
    agent: Agent,
) -> None:
    await agent.open(FILTERED)
    with pytest.raises(ElementError, match=r"also after it was typed\. It has \"Colour 0\""):
        await agent.select("combobox", "Colour 99")


async def test_options_that_are_fetched_while_typing_are_awaited(agent: Agent, site: Site) -> None:
    site.respond("/colours", "ok")
    await agent.go(site.page(FILTERED))
    await agent.run("() => { window.remote = true }")
    await agent.select("combobox", "Colour 42")
    assert await agent.run("one.textContent") == "Colour 42"


async def test_one_option_of_a_listbox_is_chosen(agent: Agent) -> None:
    await agent.open(LISTBOX)
    assert await agent.select("listbox", "Owl") == 'Selected "Owl" in listbox "Pets"'
    assert await agent.run(PETS) == "Owl"
    assert await agent.select("listbox", "Owl") == '"Owl" was already selected in listbox "Pets"'


@pytest.mark.parametrize(
    ("values", "pets", "clicks"),
    [(("Owl", "Cat"), "Cat,Owl", "3"), (("Dog",), "Dog", "0"), ((), "", "1")],
)
async def test_exactly_those_of_a_listbox_are_chosen(
    agent: Agent, values: tuple[str, ...], pets: str, clicks: str
) -> None:
    await agent.open(LISTBOX.replace("MULTI", "aria-multiselectable=true"))
    await agent.select("listbox", *values)
    assert await agent.run(PETS) == pets
    assert await agent.run("clicks") == clicks


async def test_a_virtual_list_is_scrolled_to_the_option(agent: Agent) -> None:
    await agent.open(VIRTUAL)
    await agent.select("button", "City 730")
    assert await agent.run("c.textContent") == "City 730"


async def test_a_list_without_roles_is_chosen_from(agent: Agent) -> None:
    await agent.open(PLAIN)
    await agent.select(await agent.page.find_element("#c"), "Red")
    assert await agent.run("t.textContent") == "Red"


async def test_a_radio_group_is_a_choice(agent: Agent) -> None:
    await agent.open(
        "<div role=radiogroup aria-label=Plan><div role=radio aria-checked=false tabindex=0>Free"
        "</div><div role=radio aria-checked=false tabindex=-1>Paid</div></div><script>"
        "for (const r of document.querySelectorAll('[role=radio]')) r.onclick = () => {"
        "for (const o of document.querySelectorAll('[role=radio]')) o.ariaChecked = o === r }"
        "</script>"
    )
    await agent.select(await agent.page.find_element("[role=radiogroup]"), "Paid")
    assert 'radio "Paid" [checked]' in await agent.snapshot()


async def test_a_list_that_draws_late_gets_each_choice(agent: Agent) -> None:
    await agent.open(LATE)
    await agent.select("combobox", "Green", "Blue")
    assert await agent.run("c.value") == "Green,Blue"
    await agent.select("combobox", "Red")
    assert await agent.run("c.value") == "Red"


async def test_a_read_only_list_is_not_changed(agent: Agent) -> None:
    page = LATE.replace("ATTRIBUTES", "aria-readonly=true")
    await agent.open(page.replace("l.hidden = false; c.ariaExpanded = 'true'", ""))
    with pytest.raises(ElementDisabledError, match="read-only"):
        await agent.select("combobox", "Green")
    assert await agent.run("c.value") == "Red"


async def test_a_list_that_opens_is_chosen_from_although_its_field_says_read_only(
    agent: Agent,
) -> None:
    # react-select says so of a field that cannot be typed into.
    await agent.open(LATE.replace("ATTRIBUTES", "aria-readonly=true"))
    await agent.select("combobox", "Green")
    assert await agent.run("c.value") == "Green"


async def test_a_choice_of_the_option_that_a_list_marks_as_active_is_a_change(agent: Agent) -> None:
    await agent.open(
        "<input id=c role=combobox aria-label=City aria-controls=l><ul id=l role=listbox></ul>"
        "<script>c.oninput = () => { l.innerHTML ="
        "`<li role=option aria-selected=true>${c.value}</li>` };"
        "l.onclick = ({ target }) => { c.value = target.textContent; l.innerHTML = '' }</script>"
    )
    assert await agent.select("combobox", "Bern") == 'Selected "Bern" in combobox "City"'
    again = await agent.select("combobox", "Bern")
    assert again == '"Bern" was already selected in combobox "City"'
