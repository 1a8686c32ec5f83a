"""Choosing from lists that are built like those of common libraries of components."""

from __future__ import annotations

import pytest

from tests.browser.page.agent import Agent
from viewpoint_mcp.errors import ElementCoveredError, ElementError

# The placeholder and the tags lie over the field. Only a class says that it accepts several.
COVERED = """<div id=s style="position:relative;width:200px;height:30px"><input id=c role=combobox
aria-label=Colour aria-controls=l readonly style="width:180px"><span id=t
style="position:absolute;inset:0;background:white">Pick</span></div>
<div class="dropdown is-multiple" id=d hidden><ul id=l role=listbox><li role=option>Red</li>
<li role=option>Green</li><li role=option>Blue</li></ul></div><script>
s.onclick = () => { d.hidden = !d.hidden }
l.onclick = ({ target }) => {
  target.ariaSelected = String(target.ariaSelected !== 'true')
  t.textContent = [...l.children].filter((o) => o.ariaSelected === 'true').map((o) => o.textContent)
}
</script>"""


# Screen readers get a list without size; the drawn options have only classes. Like a virtual list,
# it draws the visible options and has a scroll bar of its own.
MIRRORED = """<div class="x-select x-select-multiple"><input id=c role=combobox aria-label=City
aria-controls=l readonly></div><div id=p hidden><div id=l role=listbox
style="width:0;height:0;overflow:hidden"><div role=option aria-label="City 0">City 0</div></div>
<div id=v style="height:100px;width:200px;overflow:hidden;position:relative">
<div style="height:20000px"></div></div></div><script>
const chosen = new Set(['City 1'])
function draw() {
  for (const old of v.querySelectorAll('.x-option')) old.remove()
  const first = Math.floor(v.scrollTop / 20)
  for (let i = first; i < first + 5; i += 1) v.insertAdjacentHTML('beforeend',
    `<div class="x-option ${chosen.has(`City ${i}`) ? 'x-option-selected' : ''}"
      style="position:absolute;height:20px;top:${i * 20}px">City ${i}</div>`)
}
c.onclick = () => { p.hidden = !p.hidden; draw() }
v.onscroll = () => requestAnimationFrame(draw)
v.onclick = ({ target: { textContent: city } }) => {
  if (!chosen.delete(city)) chosen.add(city)
  draw()
}
</script>"""


# As in Choices: the control does not refer to its list, a chosen option leaves the list, and the
# active one counts as selected.
TAGGED = """<div id=c role=combobox aria-expanded=false style="width:200px"><b id=t></b>
<select style="width:0;height:0;overflow:hidden;padding:0;border:0"><option>S<option>L</select>
<input id=f type=search aria-label=Sizes><div id=d hidden>
<div id=l role=listbox aria-multiselectable=true></div></div></div>
<style>.is-highlighted::after { content: ' Press to select' }</style><script>
const chosen = []
function draw() {
  t.textContent = chosen.join(' ')
  l.innerHTML = ['S', 'M', 'L'].filter((each) => !chosen.includes(each)).map((each, i) =>
    `<div role=option aria-selected=${i === 0} class="${i ? '' : 'is-highlighted'}">${each}</div>`
  ).join('')
}
draw()
c.onclick = ({ target }) => {
  if (target.role === 'option') { chosen.push(target.textContent); draw(); return }
  d.hidden = !d.hidden; c.ariaExpanded = String(!d.hidden); f.focus()
}
f.onblur = () => { d.hidden = true; c.ariaExpanded = 'false' }
c.onmousedown = (event) => event.preventDefault()
</script>"""

# As in Material UI: nothing says that a field accepts several, and its list closes each time.
CHIPS = """<div style="width:300px"><b id=t></b><input id=c role=combobox aria-label=People
aria-controls=l aria-expanded=false></div><div id=l role=listbox hidden></div><script>
let chosen = []
c.onclick = () => {
  l.innerHTML = ['Ann', 'Bob', 'Cid'].map((each) =>
    `<div role=option aria-selected=${chosen.includes(each)}>${each}</div>`).join('')
  l.hidden = false; c.ariaExpanded = 'true'
}
l.onclick = ({ target: { textContent: one } }) => {
  if (window.acceptsOne) { chosen = [one]; c.value = one }
  else {
    chosen = chosen.includes(one) ? chosen.filter((each) => each !== one) : [...chosen, one]
    t.textContent = chosen.join(' ')
  }
  l.hidden = true; c.ariaExpanded = 'false'
}
</script>"""

# As in Chosen: a list without roles, which is closed by a clip after each choice.
CLIPPED = """<div id=c class="x-container x-multi" style="width:200px;border:1px solid"><ul><li>
<input id=f value="Some"></ul><div id=d style="position:absolute;clip:rect(0,0,0,0)">
<ul id=l><li>Apple<li>Pear<li>Plum</ul></div></div><p style="height:200px"></p><script>
const chosen = []
c.onclick = ({ target }) => {
  const isOption = target.parentElement === l
  if (isOption && d.style.clip !== 'auto') return
  if (isOption) { chosen.push(target.textContent.trim()); f.value = chosen.join() }
  d.style.clip = isOption ? 'rect(0,0,0,0)' : 'auto'
}
</script>"""

# As in SlimSelect: the list fades after each choice, and its options are dead meanwhile.
FADING = """<div id=c role=combobox aria-label=Shade aria-controls=l aria-expanded=false
style="width:200px;border:1px solid">None</div><div id=l role=listbox aria-multiselectable=true
style="transition:opacity .3s;opacity:0" hidden></div><script>
const chosen = []
function draw(isOpen) {
  c.ariaExpanded = String(isOpen)
  if (isOpen) l.hidden = false
  l.style.opacity = isOpen ? 1 : 0
  l.innerHTML = ['Dark', 'Light', 'Grey'].map((each) =>
    `<div role=option aria-selected=${chosen.includes(each)}>${each}</div>`).join('')
}
l.ontransitionend = () => { l.hidden = c.ariaExpanded === 'false' }
c.onclick = () => draw(c.ariaExpanded === 'false')
l.onclick = ({ target }) => {
  if (c.ariaExpanded === 'false') return
  chosen.push(target.textContent); c.textContent = chosen.join(); draw(false)
}
</script>"""


async def test_a_list_is_opened_by_the_part_that_lies_over_its_field(agent: Agent) -> None:
    await agent.open(COVERED)
    result = await agent.select("combobox", "Red", "Blue")
    assert result == 'Selected "Red", "Blue" in combobox "Colour"'
    assert await agent.run("t.textContent") == "Red,Blue"
    await agent.select("combobox", "Green")
    assert await agent.run("t.textContent") == "Green"


@pytest.mark.parametrize(
    ("classes", "attribute", "is_accepted"),
    [
        ("x-MultiSelect-dropdown", "", True),
        ("x", "multiple", True),
        ("multiselect", "aria-multiselectable=false", False),
        ("multiples", "", False),
    ],
)
async def test_a_list_says_whether_it_accepts_several(
    agent: Agent, classes: str, attribute: str, is_accepted: bool
) -> None:
    page = COVERED.replace("dropdown is-multiple", classes).replace("id=l", f"id=l {attribute}")
    await agent.open(page)
    if is_accepted:
        await agent.select("combobox", "Red", "Blue")
    else:
        with pytest.raises(ElementError, match="accepts one option"):
            await agent.select("combobox", "Red", "Blue")


async def test_a_list_is_opened_by_the_box_that_clips_its_field_to_nothing(agent: Agent) -> None:
    # The middle of the field lies on another field.
    style = "position:absolute;width:1px;height:1px;overflow:hidden;opacity:0;pointer-events:none"
    page = COVERED.replace("<input", f"<p style='{style}'><input").replace("<span", "</p><span", 1)
    other = "<input aria-label=Amount style='position:absolute;left:60px;top:10px'>"
    await agent.open(f"<div style='height:400px'>{page.replace('200px', '50px', 1)}{other}</div>")
    assert await agent.select("combobox", "Green") == 'Selected "Green" in combobox "Colour"'
    assert await agent.run("t.textContent") == "Green"


@pytest.mark.parametrize(
    "closing",
    [
        "c.onblur = () => { d.hidden = true }",
        "onkeydown = (e) => { d.hidden = e.key === 'Escape' }",
    ],
)
async def test_a_list_of_several_choices_is_closed_in_the_end(agent: Agent, closing: str) -> None:
    kept = "d.onmousedown = (event) => event.preventDefault()"
    await agent.open(COVERED.replace("<script>", f"<script>{kept};{closing};"))
    await agent.run("s.addEventListener('click', () => c.focus())")
    await agent.select("combobox", "Red", "Blue")
    assert await agent.run("`${d.hidden} ${t.textContent}`") == "true Red,Blue"


async def test_a_list_under_something_else_is_not_opened(agent: Agent) -> None:
    cover = "<div style='position:fixed;inset:0;z-index:9'>Busy <button>Stop</button></div>"
    await agent.open(COVERED + cover)
    with pytest.raises(ElementCoveredError):
        await agent.select("combobox", "Red")
    assert await agent.run("String(d.hidden)") == "true"


async def test_a_list_that_is_drawn_beside_its_accessible_list_is_chosen_from(agent: Agent) -> None:
    await agent.open(MIRRORED)
    await agent.select("combobox", "City 2")
    assert await agent.run("[...chosen].join()") == "City 2"
    await agent.select("combobox", "City 2", "City 300")
    assert await agent.run("[...chosen].join()") == "City 2,City 300"


async def test_options_in_the_slot_of_a_list_are_chosen(agent: Agent) -> None:
    await agent.open(
        "<div id=h><p role=option>Red</p><p role=option>Green</p><p role=option>Blue</p></div>"
        "<script>const root = h.attachShadow({ mode: 'open' }); root.innerHTML ="
        "`<input role=combobox aria-label=Colour aria-controls=l readonly>"
        "<div id=l role=listbox aria-multiselectable=true hidden><slot></slot></div>`;"
        "const [c, l] = root.children; c.onclick = () => { l.hidden = !l.hidden };"
        "for (const o of h.children) o.onclick = () => {"
        "o.ariaSelected = String(o.ariaSelected !== 'true') }</script>"
    )
    await agent.select("combobox", "Red", "Blue")
    await agent.select("combobox", "Blue", "Green")
    chosen = "[...h.children].filter((o) => o.ariaSelected === 'true').map((o) => o.textContent)"
    assert await agent.run(f"{chosen}.join()") == "Green,Blue"


async def test_options_that_leave_the_list_when_they_are_chosen_are_all_chosen(
    agent: Agent,
) -> None:
    await agent.open(TAGGED)
    assert await agent.select("combobox", "S", "L") == 'Selected "S", "L" in combobox'
    assert await agent.run("`${chosen} ${d.hidden}`") == "S,L true"


async def test_a_field_that_does_not_say_that_it_accepts_several_gets_them(agent: Agent) -> None:
    await agent.open(CHIPS)
    assert (
        await agent.select("combobox", "Ann", "Cid") == 'Selected "Ann", "Cid" in combobox "People"'
    )
    await agent.select("combobox", "Bob", "Cid")
    assert await agent.run("chosen.join()") == "Cid,Bob"


async def test_a_field_that_turns_out_to_accept_one_option_is_an_error(agent: Agent) -> None:
    await agent.open(CHIPS.replace("let chosen", "window.acceptsOne = true; let chosen"))
    with pytest.raises(ElementError, match='accepts one option; "Ann" is selected now'):
        await agent.select("combobox", "Ann", "Cid")


async def test_a_list_without_roles_is_opened_for_each_choice(agent: Agent) -> None:
    await agent.open(CLIPPED)
    await agent.select(await agent.page.find_element("#c"), "Apple", "Plum")
    assert await agent.run("chosen.join()") == "Apple,Plum"


async def test_a_list_that_is_closing_is_opened_again(agent: Agent) -> None:
    await agent.open(FADING)
    await agent.select("combobox", "Dark", "Grey")
    assert await agent.run("chosen.join()") == "Dark,Grey"


async def test_a_list_is_closed_after_a_choice_that_failed(agent: Agent) -> None:
    await agent.open(TAGGED)
    with pytest.raises(ElementError, match="no option"):
        await agent.select("combobox", "XL")
    assert await agent.run("String(d.hidden)") == "true"
