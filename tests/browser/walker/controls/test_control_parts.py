"""One line and one ref for each control: its parts and the boxes around it print nothing."""

from __future__ import annotations

import pytest

from tests.browser.walker.walked import Walked

ICON = "<svg width=16 height=16><path d='M0 0h16v16H0z' /></svg>"
BOX = "display:inline-block;padding:6px;cursor:pointer"


@pytest.mark.parametrize(
    ("page", "lines"),
    [
        # Web components listen on the slots of their button: an empty start, the icon, an empty end.
        (
            f"<button aria-label=Cut><span onclick=1></span><span onclick=1>{ICON}</span></button>",
            ['- button "Cut" [ref=e1]'],
        ),
        (
            "<button><span onclick=1></span><b onclick=1>Python 3</b></button>",
            ['- button "Python 3" [ref=e1]'],
        ),
        (
            f"<div style={BOX} title=Cut aria-label=Cut><button aria-label=Cut>x</button></div>",
            ['- button "Cut" [ref=e2]: x'],
        ),
        (
            f"<div style={BOX} aria-label=Kernel><button>Kernel</button></div>",
            ['- button "Kernel" [ref=e2]'],
        ),
        (
            f"<div style={BOX} aria-disabled=true aria-label=Up><button disabled>Up</button></div>",
            ['- button "Up" [disabled] [ref=e2]'],
        ),
        # The picture and the label of a custom checkbox, each with its own pointer or listener.
        (
            f"<div role=switch tabindex=0><i style={BOX}></i><p onclick=1><b onclick=1>Notify</b></p></div>",
            ['- switch "Notify" [ref=e1]'],
        ),
        (f"<div tabindex=0 style={BOX}><button>Open</button></div>", ['- button "Open" [ref=e2]']),
        (
            f"<div id=f tabindex=0 style={BOX}><button>Open</button></div><script>f.focus()</script>",
            ['- button "Open" [active] [ref=e2]'],
        ),
        (
            f"<ul><li><div style={BOX}><div onclick=1><input type=checkbox aria-label=All></div></div></ul>",
            ["- list:", "  - listitem:", '    - checkbox "All" [ref=e3]'],
        ),
        (
            f"<div role=tablist><div style={BOX}><a role=tab>A title</a> <a role=tab>x</a></div></div>",
            ["- tablist:", '  - tab "A title" [ref=e2]', '  - tab "x" [ref=e3]'],
        ),
    ],
)
async def test_one_control_has_one_line_and_one_ref(
    walked: Walked, page: str, lines: list[str]
) -> None:
    assert await walked.snapshot(page) == lines


@pytest.mark.parametrize(
    ("page", "lines"),
    [
        (
            f"<div role=button>Draft <span onclick=1 title=Remove>{ICON}</span></div>",
            ['- button "Draft" [ref=e1]:', '  - generic [hint="Remove"] [ref=e2]'],
        ),
        (
            # The delete icon of a chip: drawn, aria-hidden, and with a listener of its own.
            f"<div role=button>Draft {ICON.replace('<svg', '<svg aria-hidden=true onclick=1 data-icon=x-mark')}</div>",
            ['- button "Draft" [ref=e1]:', '  - img [hint="mark"] [aria-hidden] [ref=e2]'],
        ),
        (
            "<div onclick=1 style=width:400px;height:200px><button>Delete</button></div>",
            ["- generic [ref=e1]:", '  - button "Delete" [ref=e2]'],
        ),
        (
            f"<div style={BOX} aria-label=Copper><button>Kettle</button></div>",
            ['- generic "Copper" [ref=e1] [cursor=pointer]:', '  - button "Kettle" [ref=e2]'],
        ),
        (
            f"<div style={BOX} aria-expanded=true role=generic><button>Menu</button></div>",
            ["- generic [expanded] [ref=e1] [cursor=pointer]:", '  - button "Menu" [ref=e2]'],
        ),
        (
            "<p>Read <span style=cursor:pointer>terms</span><span style=cursor:pointer>policy</span></p>",
            [
                "- paragraph:",
                "  - text: Read",
                "  - generic [ref=e1] [cursor=pointer]: terms",
                "  - generic [ref=e2] [cursor=pointer]: policy",
            ],
        ),
    ],
)
async def test_what_can_be_clicked_separately_has_a_ref(
    walked: Walked, page: str, lines: list[str]
) -> None:
    assert await walked.snapshot(page) == lines


async def test_a_hundred_boxes_around_a_control_are_left_out(walked: Walked) -> None:
    await walked.load("<body></body>")
    await walked.run(
        "let at = document.body; for (let i = 0; i < 100; i++) {"
        "  at.append(document.createElement('div')); at = at.lastChild; at.style.display = 'inline-block';"
        "  at.setAttribute('onclick', '1'); } at.innerHTML = '<button>Go</button>'"
    )
    assert (await walked.snapshot())[0].startswith('- button "Go" [ref=e')


@pytest.mark.parametrize(
    ("page", "line"),
    [
        (
            "<button><img alt=search src=x width=9> Search</button>",
            '- button "search Search" [ref=e1]',
        ),
        ("<a href=/x><img alt=Home src=x></a>", '- link "Home" [ref=e1] -> /x'),
        (
            "<button aria-label=Country><img alt=Portugal src=x></button>",
            '- button "Country" [ref=e1]:\n  - img "Portugal"',
        ),
        ("<a href=/x>&#xf0d7; <b>News</b></a>", '- link "News" [ref=e1] -> /x'),
        (
            "<button><i class='fa fa-caret-down'>&#xf0d7;</i></button>",
            '- button [hint="caret down"] [ref=e1]',
        ),
        ("<p>&#xf002;</p><h1>Search</h1>", '- heading "Search" [level=1]'),
    ],
)
async def test_icons_that_a_name_includes_and_glyphs_are_not_printed(
    walked: Walked, page: str, line: str
) -> None:
    assert "\n".join(await walked.snapshot(page)) == line


@pytest.mark.parametrize("box", ["", "<div style='position:absolute;clip-path:inset(50%)'>"])
@pytest.mark.parametrize(("handle", "count"), [("background:blue", 1), ("opacity:0", 0), ("", 0)])
async def test_a_range_input_in_the_handle_of_a_slider_is_visible(
    walked: Walked, box: str, handle: str, count: int
) -> None:
    page = (
        f"<div style='position:relative;width:200px;height:30px'><span style='position:absolute;"
        f"width:20px;height:20px;{handle}'>{box}<input type=range aria-label=Volume value=30 "
        "style='position:absolute;clip:rect(0 0 0 0);width:100%;height:100%'></span></div>"
    )
    lines = await walked.snapshot(page)
    assert lines.count('- slider "Volume" [ref=e1]: "30"') == count
