"""The states and values of controls."""

from __future__ import annotations

import pytest

from tests.browser.walker.walked import Walked


@pytest.mark.parametrize(
    ("page", "line"),
    [
        ("<input type=checkbox checked aria-label=x>", '- checkbox "x" [checked] [ref=e1]'),
        ("<div role=checkbox aria-checked=mixed aria-label=x>", '- checkbox "x" [checked=mixed] [ref=e1]'),
        ("<fieldset disabled><button>x</button></fieldset>", '- button "x" [disabled] [ref=e1]'),
        ("<button aria-disabled=true>x</button>", '- button "x" [disabled] [ref=e1]'),
        ("<div aria-disabled=true><button>x</button></div>", '- button "x" [disabled] [ref=e1]'),
        ("<button aria-expanded=true>x</button>", '- button "x" [expanded] [ref=e1]'),
        ("<button popovertarget=p>x</button><div popover id=p></div>", '- button "x" [expanded=false] [ref=e1]'),
        ("<input aria-invalid=grammar aria-label=x>", '- textbox "x" [invalid=grammar] [ref=e1]'),
        ("<input required aria-label=x>", '- textbox "x" [required] [ref=e1]'),
        ("<h3>x</h3>", '- heading "x" [level=3]'),
        ("<div role=heading aria-level=7>x</div>", '- heading "x" [level=7]'),
        ("<button aria-pressed=mixed>x</button>", '- button "x" [pressed=mixed] [ref=e1]'),
        ("<div role=tab aria-selected=true>x</div>", '- tab "x" [selected] [ref=e1]'),
        ("<input readonly value=v aria-label=x>", '- textbox "x" [readonly] [ref=e1]: v'),
        ("<textarea aria-label=x>a\nb</textarea>", r'- textbox "x" [multiline] [ref=e1]: "a\nb"'),
        ("<input type=date value=2026-01-13 aria-label=x>", '- textbox "x" [type=date] [ref=e1]: "2026-01-13"'),
        ("<input type=password value=abc aria-label=x>", '- textbox "x" [ref=e1]: •••'),
        ("<input type=range value=30 aria-label=x>", '- slider "x" [ref=e1]: "30"'),
        ("<div role=slider aria-valuenow=3 aria-valuetext=low aria-label=x>", '- slider "x" [ref=e1]: low'),
        ("<div contenteditable role=textbox aria-label=x>text</div>", '- textbox "x" [multiline] [ref=e1]: text'),
    ],
)  # fmt: skip
async def test_a_state_is_printed(walked: Walked, page: str, line: str) -> None:
    assert await walked.snapshot(page) == [line]


async def test_the_selected_option_is_marked(walked: Walked) -> None:
    assert await walked.snapshot("<select aria-label=x><option>a<option selected>b</select>") == [
        '- combobox "x" [ref=e1]:', '  - option "a" [ref=e2]', '  - option "b" [selected] [ref=e3]',
    ]  # fmt: skip


async def test_states_set_by_script_are_those_of_now(walked: Walked) -> None:
    await walked.load("<input type=checkbox aria-label=a><input aria-label=b>")
    await walked.run(
        "const [a, b] = document.querySelectorAll('input'); a.indeterminate = true; b.value = 'typed'"
    )
    assert await walked.snapshot() == [
        '- checkbox "a" [checked=mixed] [ref=e1]',
        '- textbox "b" [ref=e2]: typed',
    ]


async def test_the_focused_element_is_active_through_shadow_roots(walked: Walked) -> None:
    await walked.load("<div><template shadowrootmode=open><button>x</button></template></div>")
    await walked.run("document.querySelector('div').shadowRoot.querySelector('button').focus()")
    assert await walked.snapshot() == ['- button "x" [active] [ref=e1]']


async def test_an_empty_required_field_is_not_invalid_before_anyone_tried(walked: Walked) -> None:
    assert "invalid" not in (await walked.snapshot("<form><input required aria-label=x></form>"))[0]
