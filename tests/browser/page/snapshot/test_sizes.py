"""Pages of unusual size: the right answer, within bounded time."""

from __future__ import annotations

import time

import pytest
import yaml

from tests.browser.page.agent import Agent

# Seconds; on a quiet machine each look takes a tenth of it or less.
LIMIT = 20.0

pytestmark = [pytest.mark.time_limit(90), pytest.mark.prove, pytest.mark.timing]


async def built(agent: Agent, script: str) -> str:
    """Build a page by a script; returns its snapshot, taken within the limit."""
    await agent.page.navigate("data:text/html,<body></body>")
    await agent.page.evaluate(script)
    # Chromium's own time for the layout is not measured.
    await agent.page.evaluate("document.body.offsetHeight")
    start = time.monotonic()
    text = await agent.snapshot()
    assert time.monotonic() - start < LIMIT
    return text


async def test_a_megabyte_of_text_in_one_node_is_read_whole(agent: Agent) -> None:
    text = await built(agent, "document.body.textContent = 'words: # '.repeat(111112)")
    assert yaml.safe_load(text) == [{"text": ("words: # " * 111112).strip()}]


async def test_a_megabyte_in_a_name_is_cut(agent: Agent) -> None:
    text = await built(
        agent,
        "const b = document.createElement('button'); b.textContent = 'ab '.repeat(350000);"
        "document.body.append(b)",
    )
    name, _, rest = text.partition('…" [ref=e1]: ')
    assert len(name) < 200
    assert rest.count("ab") > 300_000  # as text, which the budget of a reply cuts


async def test_the_options_of_a_long_list_are_read(agent: Agent) -> None:
    text = await built(
        agent,
        "const s = document.createElement('select'); s.ariaLabel = 'Many';"
        "for (let i = 0; i < 100000; i++) s.append(new Option(`No ${i}`));"
        "document.body.append(s); s.selectedIndex = 77777",
    )
    assert text.startswith('- combobox "Many" [ref=e1]: No 0 | No 1 |')
    assert text.endswith("| No 19 | No 77777 [selected] | … 99979 more")


async def test_a_hundred_thousand_elements_are_read(agent: Agent) -> None:
    text = await built(
        agent,
        "document.body.innerHTML = Array.from({length: 20000}, (_, i) =>"
        "`<div><h3>H ${i}</h3><p>P <b>${i}</b></p><button>B ${i}</button></div>`).join('')",
    )
    assert text.count("- button") == 20_000
    assert 'heading "H 19999"' in text


async def test_an_element_with_ten_thousand_attributes_is_read(agent: Agent) -> None:
    text = await built(
        agent,
        "const b = document.createElement('button'); b.textContent = 'Go';"
        "for (let i = 0; i < 10000; i++) b.setAttribute(`data-a${i}`, 'x'.repeat(100));"
        "document.body.append(b)",
    )
    assert text == '- button "Go" [ref=e1]'


async def test_five_thousand_labels_find_their_fields(agent: Agent) -> None:
    text = await built(
        agent,
        "document.body.innerHTML = Array.from({length: 5000}, (_, i) =>"
        "`<label for=f${i}>Label ${i}</label>`).join('') + Array.from({length: 5000}, (_, i) =>"
        "`<input id=f${i}>`).join('')",
    )
    assert text.count("- textbox") == 5000
    assert '- textbox "Label 4999"' in text


async def test_ten_thousand_references_to_one_label_are_read(agent: Agent) -> None:
    text = await built(
        agent,
        "document.body.innerHTML = '<p id=l>' + 'Label '.repeat(2000) + '</p>' +"
        "'<button aria-labelledby=l>x</button>'.repeat(5000)",
    )
    assert text.count('- button "Label Label') == 5000


# Ten megabytes take the in-page scripts half a second, and Chromium's layout half a minute.
async def test_a_value_of_megabytes_is_read(agent: Agent) -> None:
    text = await built(
        agent,
        "const t = document.createElement('textarea'); t.ariaLabel = 'T';"
        "t.value = ('x'.repeat(1000) + '\\n').repeat(2000); document.body.append(t)",
    )
    (item,) = [line for line in text.split("\n") if line.startswith("- textbox")]
    assert len(item) > 2_000_000


async def test_nested_names_have_a_bounded_size(agent: Agent) -> None:
    text = await built(
        agent,
        "document.body.innerHTML ='<div role=button>'.repeat(200) + 'Core ' + '</div>'.repeat(200)",
    )
    assert "Core" in text
