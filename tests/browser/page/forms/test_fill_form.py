"""Filling in a form: all fields are checked first; each gets the events of a person."""

from __future__ import annotations

import pytest

from tests.browser.page.agent import Agent
from tests.site import Site
from viewpoint_mcp.errors import ElementError, ModalOpenError, StaleRefError, ViewpointError
from viewpoint_mcp.page.form_field_to_fill import FieldToFill, FieldType

EVENTS = """<script>
const log = []
for (const type of ['focus', 'beforeinput', 'input', 'change', 'blur', 'click'])
  addEventListener(type, (event) => {
    if (event.target.id) log.push(`${event.target.id}:${type}`) }, true)
</script>"""
FORM = f"""<form onsubmit="return false"><input id=who aria-label=Name><textarea id=note></textarea>
<input id=day type=date><input id=count type=number><input id=tint type=color>
<label><input id=agree type=checkbox> I agree to <a href=/terms>the terms</a></label>
<label><input type=radio name=plan value=f id=free>Free</label>
<label><input type=radio name=plan value=p id=paid>Paid</label>
<select id=country><option>-<option value=de>Germany<option>France</select>
<input id=volume type=range max=10></form>{EVENTS}"""
HELD = """[...document.querySelectorAll('form [id]')]
  .map((e) => ['checkbox', 'radio'].includes(e.type) ? e.checked : e.value).join('|')"""


def field(ref: str, value: str, type: FieldType = "textbox", name: str = "") -> FieldToFill:
    return FieldToFill(name or ref.lstrip("#"), type, ref, value)


async def filled(agent: Agent, *fields: FieldToFill) -> list[str]:
    return await agent.page.fill_form_and_describe_differences(fields)


ALL = (
    field("#who", "Ann"),
    field("#note", "one\ntwo"),
    field("#day", "2026-01-31"),
    field("#count", "12"),
    field("#tint", "#ff0000"),
    field("#agree", "true", "checkbox"),
    field("#paid", "true", "radio"),
    field("#country", "Germany", "combobox"),
    field("#volume", "7", "slider"),
)


async def test_every_kind_of_field_is_filled(agent: Agent) -> None:
    await agent.load(FORM)
    assert await filled(agent, *ALL) == []
    held = await agent.run(HELD)
    assert held == "Ann|one\ntwo|2026-01-31|12|#ff0000|true|false|true|de|7"
    assert agent.page.url.startswith("data:")


async def test_each_text_field_gets_the_events_of_a_person(agent: Agent) -> None:
    await agent.open(FORM)
    await filled(agent, field("#who", "Ann"), field("#note", "x"), field("#count", "3"))
    events = await agent.run("log.join(' ')")
    assert events == " ".join(
        f"{name}:{kind}"
        for name in ("who", "note", "count")
        for kind in ("focus", "beforeinput", "input", "change", "blur")
    ).removesuffix(" count:change count:blur")


async def test_a_box_that_is_as_wanted_is_not_touched(agent: Agent) -> None:
    await agent.open(FORM.replace("id=agree", "id=agree checked"))
    await filled(agent, field("#agree", "true", "checkbox"))
    assert await agent.run("log.join()") == ""
    await filled(agent, field("#agree", "false", "checkbox"))
    assert await agent.run("agree.checked + log.join()") == (
        "falseagree:focus,agree:click,agree:input,agree:change"
    )


@pytest.mark.parametrize(
    ("wrong", "reason"),
    [
        (field("#nowhere", "x"), "matches 0"),
        (field("#country", "x"), 'Use type "combobox"'),
        (field("#agree", "maybe", "checkbox"), 'accepts "true" or "false"'),
        (field("#who", "true", "checkbox"), 'Use type "textbox"'),
        (field("#day", "31.1.2026"), "does not accept"),
        (field("#count", "many"), "does not accept"),
        (field("#volume", "11", "slider"), "numbers from 0 to 10"),
        (field("#volume", "loud", "slider"), "accepts a number"),
        (field("#country", "Atlantis", "combobox"), 'It has "-", "Germany", "France"'),
        (field("#free", "false", "radio"), "cannot be unchecked"),
        (field("#free", "Gold", "radio"), 'It has "Free", "Paid"'),
        (field("#who", "a\ud83d"), "surrogate"),
        (field("#off", "x"), "disabled"),
        (field("#fixed", "x"), "read-only"),
        (field("#upload", "x"), "browser_file_upload"),
        (field("h1", "x"), "not a textbox"),
    ],
)
async def test_nothing_is_filled_when_one_field_is_wrong(
    agent: Agent, wrong: FieldToFill, reason: str
) -> None:
    await agent.open(
        "<h1>Form</h1><input id=off disabled><input id=fixed readonly><input id=upload type=file>"
        + FORM
    )
    with pytest.raises(ViewpointError) as caught:
        await filled(agent, field("#who", "Ann"), wrong)
    assert f'Nothing was filled. Field "{wrong.name}": ' in str(caught.value)
    assert reason in str(caught.value)
    assert await agent.run("who.value + log.join()") == ""


async def test_all_wrong_fields_are_named(agent: Agent) -> None:
    await agent.open(FORM)
    with pytest.raises(ElementError) as caught:
        await filled(
            agent,
            field("#nowhere", "x", name="Street"),
            field("#who", "Ann"),
            field("#day", "soon", name="Birthday"),
        )
    lines = str(caught.value).splitlines()
    assert lines[0] == "Nothing was filled: 2 of 3 fields are invalid."
    assert [line.split(":")[0] for line in lines[1:]] == ['- "Street"', '- "Birthday"']


async def test_a_stale_ref_is_named_with_its_old_element(agent: Agent) -> None:
    await agent.open(FORM)
    ref = str((await agent.find('textbox "Name"')).ref)
    await agent.run("document.querySelector('#who').remove()")
    with pytest.raises(StaleRefError, match=r'Field "Name": Ref e\d+ is no longer on the page'):
        await filled(agent, field("#note", "x"), field(ref, "Ann", name="Name"))
    assert await agent.run("note.value") == ""


@pytest.mark.parametrize(
    "html",
    [
        (
            "<style>#b {opacity: 0; position: absolute; width: 0; height: 0}</style>"
            "<input id=b type=checkbox><label for=b>Styled</label>"
        ),
        "<label>Hidden<input id=b type=checkbox style='display:none'></label>",
        (
            "<input id=b type=checkbox onclick='indeterminate = false'>"
            "<script>b.indeterminate = true</script>"
        ),
        "<div style='position:fixed;inset:0'></div><input id=b type=checkbox>",
    ],
)
async def test_a_checkbox_however_styled_is_checked_and_unchecked(agent: Agent, html: str) -> None:
    await agent.open(html)
    for expected in ("true", "false"):
        assert await filled(agent, field("#b", expected, "checkbox")) == []
        assert await agent.run("`${b.checked} ${b.indeterminate}`") == f"{expected} false"


@pytest.mark.parametrize("role", ["checkbox", "switch", "menuitemcheckbox"])
async def test_a_checkbox_of_the_page_itself_is_checked_and_unchecked(
    agent: Agent, role: str
) -> None:
    await agent.open(
        f"<div id=b role={role} tabindex=0 aria-checked=false>Dark</div><script>"
        "b.onclick = () => { b.ariaChecked = String(b.ariaChecked !== 'true') }</script>"
    )
    already_set = ["- b: it was already set to this value"]
    for expected, notes in (("true", []), ("true", already_set), ("false", [])):
        assert await filled(agent, field("#b", expected, "checkbox")) == notes
        assert await agent.run("b.ariaChecked") == expected


async def test_a_checkbox_that_does_not_take_it_is_an_error(agent: Agent) -> None:
    await agent.open(
        "<input id=a><input id=b type=checkbox aria-label=No onclick='return false'><input id=c>"
    )
    with pytest.raises(ElementError) as caught:
        await filled(agent, field("#a", "x"), field("#b", "true", "checkbox"), field("#c", "y"))
    assert str(caught.value) == (
        'Field "b": checkbox "No" could not be set to "true". '
        "Filled before that: a. Not filled: b, c."
    )


@pytest.mark.parametrize(
    ("ref", "value", "chosen"),
    [
        ("#free", "true", "f"),
        ("#free", "Paid", "p"),
        ("#paid", "p", "p"),
        ("fieldset", "Paid", "p"),
        ("[role=radiogroup]", "Free", "f"),
    ],
)
async def test_a_radio_button_is_checked_by_itself_or_in_its_group(
    agent: Agent, ref: str, value: str, chosen: str
) -> None:
    await agent.open(
        "<fieldset><div role=radiogroup><label><input type=radio name=plan value=f id=free>Free"
        "</label><label><input type=radio name=plan value=p id=paid>Paid</label></div></fieldset>"
    )
    assert await filled(agent, field(ref, value, "radio")) == []
    assert await agent.run("document.querySelector(':checked').value") == chosen


async def test_a_slider_of_the_page_itself_is_moved_by_keys(agent: Agent) -> None:
    await agent.open(
        "<div id=s role=slider tabindex=0 aria-label=Price aria-valuemin=0 aria-valuemax=200"
        " aria-valuenow=50>o</div><script>s.onkeydown = ({ key }) => {"
        "const by = { ArrowRight: 5, ArrowLeft: -5, Home: -1000 }[key] ?? 0;"
        "s.ariaValueNow = Math.max(0, Math.min(200, +s.ariaValueNow + by)) }</script>"
    )
    for expected in ("120", "20", "0", "200", "60"):
        assert await filled(agent, field("#s", expected, "slider")) == []
        assert await agent.run("s.ariaValueNow") == expected
    with pytest.raises(ElementError, match=r'"Price" moved to \d+ instead of 121'):
        await filled(agent, field("#s", "121", "slider"))


async def test_a_switch_whose_field_only_holds_its_state_is_clicked(agent: Agent) -> None:
    """Space would change the field first, and the page cancels that change."""
    await agent.open(
        "<div id=s><input type=checkbox role=switch id=c style='width:0;height:0;opacity:0'>"
        "<span style='display:inline-block;width:40px;height:20px;background:grey'></span></div>"
        "<script>s.onclick = (event) => { event.preventDefault();"
        "const next = c.ariaChecked !== 'true'; c.ariaChecked = String(next); c.checked = next }"
        "</script>"
    )
    for wanted in ("true", "false", "true"):
        assert await filled(agent, field("#c", wanted, "checkbox")) == []
        assert await agent.run("`${c.checked} ${c.ariaChecked}`") == f"{wanted} {wanted}"


async def test_a_slider_that_changes_late_is_moved_by_a_part_of_it(agent: Agent) -> None:
    """Like a framework, it computes the next value from the one that it drew last."""
    await agent.open(
        "<div id=s role=slider aria-label=Price aria-valuenow=5><b id=b tabindex=0>o</b></div>"
        "<script>b.onkeydown = ({ key }) => { const next = +s.ariaValueNow + "
        "({ ArrowRight: 1, ArrowLeft: -1 }[key] ?? 0);"
        "setTimeout(() => { s.ariaValueNow = next }, 20) }</script>"
    )
    for expected in ("8", "0"):  # it does not know Home
        assert await filled(agent, field("#s", expected, "slider")) == []
        assert await agent.run("s.ariaValueNow") == expected


async def test_a_slider_without_keys_says_so(agent: Agent) -> None:
    await agent.open("<div id=s role=slider tabindex=0 aria-label=Price aria-valuenow=5>o</div>")
    with pytest.raises(ElementError, match='"Price" stays at 5: it ignores the arrow keys'):
        await filled(agent, field("#s", "8", "slider"))


async def test_a_field_that_holds_another_value_in_the_end_is_reported(agent: Agent) -> None:
    await agent.open("<input id=a maxlength=2><input id=b><input id=p type=password maxlength=3>")
    notes = await filled(
        agent, field("#a", "abc", name="Code"), field("#b", "b"), field("#p", "hunter2")
    )
    assert notes == [
        '- Code: it holds "ab" now',
        "- p: it holds 3 characters now, but not the typed text",
    ]


async def test_a_field_that_accepts_no_input_is_an_error(agent: Agent) -> None:
    await agent.open("<input id=a onbeforeinput='event.preventDefault()'><input id=b>")
    with pytest.raises(
        ElementError, match="1 of 2 fields did not accept their value:\n- a: it still holds nothing"
    ):
        await filled(agent, field("#a", "abc"), field("#b", "b"))


DEPENDENT = """<select id=country><option>-<option>Germany<option>France</select>
<select id=city DISABLED><option>-</select><input id=street><script>
country.onchange = async () => {
  const names = (await (await fetch('/cities')).text()).split(',')
  city.disabled = false
  city.innerHTML = names.map((name) => `<option>${name}`).join('')
}</script>"""


@pytest.mark.parametrize("disabled", ["disabled", ""])
async def test_a_list_that_depends_on_another_is_chosen_from_when_it_is_loaded(
    agent: Agent, site: Site, disabled: str
) -> None:
    site.respond("/cities", "Berlin,Bonn")
    await agent.go(site.page(DEPENDENT.replace("DISABLED", disabled)))
    fields = field("#country", "Germany", "combobox"), field("#city", "Bonn", "combobox")
    assert await filled(agent, *fields) == []
    assert await agent.run("city.value") == "Bonn"


async def test_a_dependent_list_without_the_option_reports_the_filled_fields(
    agent: Agent, site: Site
) -> None:
    site.respond("/cities", "Berlin,Bonn")
    await agent.go(site.page(DEPENDENT))
    with pytest.raises(ElementError) as caught:
        await filled(
            agent,
            field("#country", "Germany", "combobox", "Country"),
            field("#city", "Rome", "combobox", "City"),
            field("#street", "Via Appia", name="Street"),
        )
    assert str(caught.value) == (
        'Field "City": combobox (#city) has no option "Rome". It has "Berlin", "Bonn". '
        "Filled before that: Country. Not filled: City, Street."
    )


async def test_a_field_that_a_choice_enables_is_filled(patient_agent: Agent) -> None:
    await patient_agent.open(
        "<input type=checkbox id=other><input id=text disabled><script>"
        "other.onchange = () => setTimeout(() => { text.disabled = false }, 200)</script>"
    )
    await filled(patient_agent, field("#other", "true", "checkbox"), field("#text", "more"))
    assert await patient_agent.run("text.value") == "more"


async def test_fields_that_are_replaced_during_filling_are_filled(agent: Agent) -> None:
    await agent.open(
        "<div id=w></div><script>let data = {}; function draw() {"
        "w.innerHTML = ['first', 'last', 'city'].map((n) => `<input name=${n} aria-label=${n}"
        " value='${data[n] ?? ''}'>`).join('') } draw();"
        "w.onchange = ({ target }) => { data[target.name] = target.value; draw() }</script>"
    )
    refs = [str((await agent.find(f'textbox "{name}"')).ref) for name in ("first", "last", "city")]
    values = ("Ann", "Lee", "Rome")
    notes = await filled(agent, *(field(r, v) for r, v in zip(refs, values, strict=True)))
    assert notes == []
    shown = await agent.run("[...w.children].map((e) => e.value).join()")
    assert shown == "Ann,Lee,Rome"


async def test_a_dialog_during_filling_reports_the_filled_fields(agent: Agent) -> None:
    await agent.open("<input id=a onchange=\"alert('hm')\"><input id=b><input id=c>")
    with pytest.raises(ModalOpenError) as caught:
        await filled(agent, field("#a", "1"), field("#b", "2"), field("#c", "3"))
    assert "Filled before that: a. Not filled: b, c." in str(caught.value)
    assert agent.page.blockers.dialog is not None


async def test_a_dialog_that_a_choice_opens_reports_the_filled_fields(agent: Agent) -> None:
    await agent.open("<input id=a type=checkbox onchange=\"alert('hm')\"><input id=b>")
    with pytest.raises(
        ModalOpenError, match=r'Filling "a" opened a dialog.*Filled before that: a\.'
    ):
        await filled(agent, field("#a", "true", "checkbox"), field("#b", "2"))


async def test_a_form_that_submits_itself_during_filling_reports_the_filled_fields(
    agent: Agent, site: Site
) -> None:
    site.page("<h1>Sent</h1>", path="/sent")
    await agent.go(
        site.page(
            "<form action=/sent><input type=checkbox id=a onchange='form.submit()'>"
            "<input id=b></form>"
        )
    )
    with pytest.raises(ViewpointError, match=r"Filled before that: a\. Not filled: b\."):
        await filled(agent, field("#a", "true", "checkbox"), field("#b", "2"))


async def test_fields_in_frames_and_shadow_roots_are_filled(agent: Agent, site: Site) -> None:
    inner = site.page("<input aria-label=Card>").replace("127.0.0.1", "localhost")
    await agent.go(
        site.page(
            "<div><template shadowrootmode=closed><input aria-label=Zip></template></div>"
            f"<iframe src={inner}></iframe><input aria-label=Name>"
        )
    )
    names = ("Zip", "Card", "Name")
    refs = [str((await agent.find(f'textbox "{name}"')).ref) for name in names]
    assert await filled(agent, *(field(r, n) for r, n in zip(refs, names, strict=True))) == []
    snapshot = await agent.snapshot()
    assert all(f'textbox "{name}"' in snapshot and f": {name}" in snapshot for name in names)


async def test_lists_that_the_page_draws_are_filled(agent: Agent) -> None:
    await agent.open(
        "<button id=c aria-haspopup=listbox aria-label=Size>-</button><div id=m></div><input id=a>"
        "<script>c.onclick = () => { m.innerHTML = '<ul role=listbox><li role=option>S"
        "<li role=option>L</ul>' }; m.onclick = ({ target }) => { c.textContent = "
        "target.textContent; m.innerHTML = '' }</script>"
    )
    assert await filled(agent, field("#c", "L", "combobox"), field("#a", "x")) == []
    assert await agent.run("c.textContent + a.value") == "Lx"
    with pytest.raises(ElementError, match=r'no option "XXL"\. It has "S", "L".*Filled before'):
        await filled(agent, field("#a", "y"), field("#c", "XXL", "combobox"))
