"""The printed tree of a document: the elements that become nodes, and the position of text."""

from __future__ import annotations

import orjson
import pytest

from tests.browser.walker.walked import Walked


async def test_wrappers_are_folded_and_their_contents_kept(walked: Walked) -> None:
    page = "<div><section><div><button>Go</button></div></section></div>"
    assert await walked.snapshot(page) == ['- button "Go" [ref=e1]']


async def test_inline_text_is_one_line_and_blocks_are_several(walked: Walked) -> None:
    page = "<div>One <b>bold</b>, <i>two</i></div><div>Three<br>four</div>"
    assert await walked.snapshot(page) == ["- text: One bold, two", "- text: Three four"]


async def test_preformatted_text_keeps_its_lines(walked: Walked) -> None:
    page = "<pre>if x:\n    y()\n</pre>"
    assert await walked.snapshot(page) == [r'- text: "if x:\n    y()"']


async def test_text_that_is_the_name_is_not_printed_twice(walked: Walked) -> None:
    page = "<h1>Title</h1><button>Save <b>all</b></button><a href=x>Go</a>"
    assert await walked.snapshot(page) == [
        '- heading "Title" [level=1]',
        '- button "Save all" [ref=e1]',
        '- link "Go" [ref=e2] -> x',
    ]


async def test_the_text_of_a_label_is_the_name_of_its_control(walked: Walked) -> None:
    page = "<label for=a>Mail</label><input id=a><label><input type=checkbox> Keep</label>"
    assert await walked.snapshot(page) == [
        '- textbox "Mail" [ref=e1]',
        '- checkbox "Keep" [ref=e2]',
    ]


async def test_the_label_of_a_hidden_control_is_worked_in_its_stead(walked: Walked) -> None:
    page = "<label>Keep <input type=checkbox checked style=display:none></label>"
    assert await walked.snapshot(page) == ["- generic [checked] [ref=e1]: Keep"]


async def test_neighbouring_clickable_words_are_two_elements(walked: Walked) -> None:
    word = '<span style="cursor:pointer">{}</span>'
    assert await walked.snapshot(f"<p>{word.format('one')} {word.format('two')} end</p>") == [
        "- paragraph:",
        "  - generic [ref=e1] [cursor=pointer]: one",
        "  - generic [ref=e2] [cursor=pointer]: two",
        "  - text: end",
    ]


@pytest.mark.parametrize(
    "attribute",
    ["tabindex=0", "onclick=1", "contenteditable", "draggable=true", "style=cursor:pointer"],
)
async def test_an_actionable_element_has_a_ref(walked: Walked, attribute: str) -> None:
    (line,) = await walked.snapshot(f"<div {attribute}>x</div>")
    role = "textbox [multiline]" if attribute == "contenteditable" else "generic"
    assert line.startswith(f"- {role} [ref=e1]")


async def test_only_the_root_of_a_clickable_area_has_a_ref(walked: Walked) -> None:
    page = "<div style=cursor:pointer><div><p>Deep</p></div></div>"
    assert await walked.snapshot(page) == [
        "- generic [ref=e1] [cursor=pointer]:",
        "  - paragraph: Deep",
    ]


async def test_cells_have_refs_in_a_grid_and_not_in_a_table(walked: Walked) -> None:
    rows = "<tr><th>A<th>B<tr><td>1<td>2"
    grid, table = (
        await walked.snapshot(f"<table role=grid>{rows}</table>"),
        await walked.snapshot(f"<table>{rows}</table>"),
    )
    assert '    - gridcell "2" [ref=e6]' in grid
    assert not any("ref" in line for line in table)


async def test_structural_elements_have_refs_on_request(walked: Walked) -> None:
    assert await walked.snapshot("<h1>T</h1><p>x</p>", allRefs=True) == [
        '- heading "T" [level=1] [ref=e1]',
        "- paragraph [ref=e2]: x",
    ]


@pytest.mark.parametrize(
    ("inside", "hint"),
    [
        ("<svg width=9 height=9><use href='#icon-trash'/></svg>", "trash"),
        ("<i class='fa fa-search'></i>", "search"),
        ("<img src='/i/cart.svg?v=2' alt=''>", "cart"),
    ],
)
async def test_an_icon_button_has_a_hint_instead_of_a_name(
    walked: Walked, inside: str, hint: str
) -> None:
    assert await walked.snapshot(f"<button>{inside}</button>") == [
        f'- button [hint="{hint}"] [ref=e1]'
    ]


async def test_a_url_without_information_is_not_printed(walked: Walked) -> None:
    page = "<a href='#'>a</a><a href='javascript:go()'>b</a><a href='/x'>c</a>"
    assert [line for line in await walked.snapshot(page) if "->" in line] == [
        '- link "c" [ref=e3] -> /x'
    ]


async def test_a_long_address_loses_its_query(walked: Walked) -> None:
    lines = await walked.snapshot(f"<a href='/x?{'q' * 300}'>a</a>")
    assert lines == ['- link "a" [ref=e1] -> /x?…']


async def test_owned_elements_are_read_under_their_owner_once(walked: Walked) -> None:
    page = "<div role=list aria-label=L aria-owns=b></div><div role=listitem id=b>owned</div>"
    assert await walked.snapshot(page) == ['- list "L":', "  - listitem: owned"]


async def test_two_elements_that_own_each_other_are_read_once(walked: Walked) -> None:
    group = "<div role=group aria-label={0} id={0} aria-owns={1}></div>"
    page = group.format("A", "B") + group.format("B", "A")
    assert await walked.snapshot(page) == ['- group "A":', '  - group "B"']


async def test_boxes_of_numbered_elements_are_returned(walked: Walked) -> None:
    style = "width:50px; height:20px; position:absolute; left:10px; top:5px"
    page = f"<button style='{style}'>x</button>"
    assert await walked.snapshot(page, boxes=True) == ['- button "x" [ref=e1] [box=10,5,50,20]']


async def test_a_walk_may_begin_at_a_registered_element(walked: Walked) -> None:
    await walked.walk("<ul tabindex=0><li>in</ul><p>out</p>")
    assert await walked.snapshot(root=1) == ["- list [ref=e1]:", "  - listitem: in"]


async def test_an_element_keeps_its_number_and_new_ones_get_the_next(walked: Walked) -> None:
    await walked.walk("<button id=a>a</button>")
    await walked.run(
        "const b = document.createElement('button'); b.textContent = 'b';"
        "document.getElementById('a').before(b)"
    )
    assert await walked.snapshot() == ['- button "b" [ref=e2]', '- button "a" [ref=e1]']


async def test_a_removed_element_is_described_as_unconnected(walked: Walked) -> None:
    await walked.walk("<button id=a>a</button>")
    await walked.run("window.kept = document.getElementById('a'); kept.remove()")
    reply = await walked.call("describe", 1)
    assert (reply["connected"], reply["role"]) == (False, "button")
    assert await walked.call("describe", 99) is None


async def test_two_thousand_levels_are_walked(walked: Walked) -> None:
    await walked.load("<body></body>")
    await walked.run(
        "let at = document.body; for (let i = 0; i < 2000; i++) {"
        "  at.append(document.createElement(i % 2 ? 'article' : 'blockquote'));"
        "  at = at.lastChild; at.tabIndex = 0; } at.textContent = 'deepest'"
    )
    lines = await walked.snapshot()
    assert len(lines) >= 2000
    assert lines[-1].endswith("deepest")


async def test_half_a_surrogate_pair_is_sent_as_json_that_can_be_read(walked: Walked) -> None:
    await walked.load("<p>x</p>")
    await walked.run("document.querySelector('p').textContent = 'a\\ud800b'")
    assert orjson.loads(await walked.call("walk", {}))["nodes"] == [
        ["paragraph", "", None, ["a\ufffdb"]]
    ]


async def test_controls_named_like_properties_do_not_fool_the_walk(walked: Walked) -> None:
    names = (
        "parentNode",
        "childNodes",
        "firstChild",
        "nextSibling",
        "attributes",
        "getAttribute",
        "localName",
        "shadowRoot",
        "nodeType",
        "namespaceURI",
        "tabIndex",
        "isConnected",
        "style",
        "ariaLabelledByElements",
    )
    fields = "".join(f"<input name={name} aria-label={name}>" for name in names)
    page = f"<img name=title><img name=body><form aria-label=F aria-labelledby=''>{fields}</form>"
    lines = await walked.snapshot(page)
    assert [line.split('"')[1] for line in lines if "textbox" in line] == list(names)


async def test_the_page_cannot_change_the_result_of_the_walk(walked: Walked) -> None:
    await walked.load("<button>Real</button>")
    await walked.run(
        "Element.prototype.getAttribute = () => 'fake'; window.getComputedStyle = null"
    )
    assert await walked.snapshot() == ['- button "Real" [ref=e1]']


@pytest.mark.parametrize(
    ("text", "is_there"),
    [
        ("Hello big world", True),
        ("Hello  big", True),
        ("hello", False),
        ("secret", False),
        ("in shadow", True),
    ],
)
async def test_text_is_found_when_it_can_be_read(walked: Walked, text: str, is_there: bool) -> None:
    shadow = "<div><template shadowrootmode=open><i>in <b>shadow</b></i></template></div>"
    await walked.load(f"<p>Hello <b>big</b>\n world</p><p hidden>secret</p>{shadow}")
    assert await walked.call("hasText", text) is is_there


async def test_a_name_that_leads_back_to_itself_ends(walked: Walked) -> None:
    option = "<div role=option aria-selected=true><b aria-labelledby=l>x</b>one</div>"
    lines = await walked.snapshot(f"<div role=listbox id=l tabindex=0>{option}</div>")
    assert lines[0] == "- listbox [ref=e1]:"


async def test_an_owner_that_is_hidden_owns_nothing(walked: Walked) -> None:
    page = "<div hidden aria-owns=b></div><button id=b>Still here</button>"
    assert await walked.snapshot(page) == ['- button "Still here" [ref=e1]']


async def test_a_field_that_owns_its_list_is_followed_by_it(walked: Walked) -> None:
    page = "<input role=combobox aria-label=City aria-owns=l><ul id=l role=listbox aria-label=Cities><li role=option>Rome</ul>"
    assert await walked.snapshot(page) == [
        '- combobox "City" [ref=e1]:',
        '  - listbox "Cities" [ref=e2]:',
        '    - option "Rome" [ref=e3]',
    ]


async def test_the_fallback_text_of_an_unnamed_image_is_printed(walked: Walked) -> None:
    assert await walked.snapshot("<div role=img>Five stars</div>") == ["- img: Five stars"]


async def test_the_remaining_text_of_a_list_item_is_not_its_name(walked: Walked) -> None:
    unseen = "<span style='position:absolute;clip-path:inset(50%);width:1px;height:1px;overflow:hidden'>unseen</span>"
    page = f"<ul><li>{unseen} seen</li></ul>"
    assert await walked.snapshot(page) == ["- list:", "  - listitem: seen"]


@pytest.mark.parametrize(
    ("style", "role"),
    [
        ("", "text"),
        ("<style>td { border-bottom: 1px solid }</style>", "table"),
        ("<style>tr:nth-child(even) { background: #eee }</style>", "table"),
        ("<style>td { background: #eef }</style>", "table"),
    ],
)
async def test_a_table_of_plain_cells_is_data_where_it_is_drawn_as_such(
    walked: Walked, style: str, role: str
) -> None:
    rows = "<tr><td>1</td><td>2</td></tr>" * 3
    lines = await walked.snapshot(f"{style}<table>{rows}</table>")
    assert lines[0].startswith(f"- {role}:")
