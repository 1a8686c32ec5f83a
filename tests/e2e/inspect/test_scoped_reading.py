"""browser_snapshot read in parts, or as text: of one element, to a depth, within the budget."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
import yaml  # type: ignore[import-untyped, unused-ignore]

from tests.e2e.conftest import OpenHere, Show
from tests.e2e.support.client import Reply, ServerClient, StdioClient
from tests.site import Site

ROWS = "".join(f"<li><a href='/item/{n}'>Item number {n}</a> in stock</li>" for n in range(200))
LIST = f"<main><ul>{ROWS}</ul></main><footer><button>Next page</button></footer>"
TEAS = """<title>Tea</title><h1>Teas</h1><p>Read the <a href=/rules>rules</a>, please.
<pre>def brew(tea):\n    return 1</pre><p>### Error<pre>a\n### Result\nb</pre>
<table><tr><th>Name<th>Price<tr><td>Assam<td>12 €</table>
<p style="color: white; background: white">Unseen</p><p style="display: none">Gone</p>
<ul><li>One<li>Two <button>Buy</button></ul><input aria-label=City value=Graz>
<iframe srcdoc="<p>In a frame"></iframe>"""


def lines_of(reply: Reply) -> str:
    return reply.sections["Snapshot"].removeprefix("```yaml\n").removesuffix("\n```")


@pytest.fixture
async def small(open_here: OpenHere, tmp_path: Path) -> AsyncIterator[ServerClient]:
    """Return a server that shows at most 2000 characters of a page."""
    async with open_here("--snapshot-budget=2000", cwd=tmp_path) as server:
        await server.initialize()
        yield server


# ---- ref


async def test_a_ref_shows_its_subtree_alone(shared_server: ServerClient, show: Show) -> None:
    await show("<nav tabindex=0 aria-label=Menu><a href=/a>Inner</a></nav><p>Outside</p>")
    menu = (await shared_server.call("browser_snapshot")).ref("navigation", "Menu")
    reply = await shared_server.call("browser_snapshot", ref=menu)
    assert "Inner" in reply.sections["Snapshot"]
    assert "Outside" not in reply.sections["Snapshot"]


async def test_a_selector_shows_its_subtree_alone(shared_server: ServerClient, show: Show) -> None:
    await show("<section id=a><p>Inner</p></section><p>Outside</p>")
    reply = await shared_server.call("browser_snapshot", ref="#a")
    assert "Inner" in reply.sections["Snapshot"]
    assert "Outside" not in reply.sections["Snapshot"]


async def test_a_ref_in_a_frame_shows_the_frames_below_it(
    shared_server: ServerClient, show: Show, site: Site
) -> None:
    inner = "<button>Innermost</button>"
    site.page(
        f'<div tabindex=0 role=group aria-label=Part><iframe srcdoc="{inner}"></iframe></div>'
        "<button>Beside</button>",
        path="/framed",
    )
    whole = await show("<p>Around</p><iframe src=/framed></iframe>")
    reply = await shared_server.call("browser_snapshot", ref=whole.ref("group", "Part"))
    assert reply.ref("button", "Innermost") == whole.ref("button", "Innermost")
    assert not re.search("Beside|Around", reply.sections["Snapshot"])


async def test_a_part_has_its_names_whole(shared_server: ServerClient, show: Show) -> None:
    name = " ".join(f"word{n}" for n in range(80))
    whole = await show(
        f"<main><button>{name}</button><h2 id=a aria-label='{name}'>Short</h2></main>"
    )
    assert f'"{name}"' not in whole.sections["Snapshot"]
    for part, line in (
        (whole.ref("button"), f'- button "{name}" [ref='),
        ("#a", f'- heading "{name}" [level=2]: Short'),
    ):
        reply = await shared_server.call("browser_snapshot", ref=part)
        assert line in lines_of(reply)
    assert not (await shared_server.call("browser_click", ref=whole.ref("button"))).is_error


# ---- depth


async def test_depth_cuts_the_levels_below_and_counts_them(
    shared_server: ServerClient, show: Show
) -> None:
    form = "<form aria-label=F><a href=/x>Deep</a><input aria-label=I></form>"
    await show(f"<main>{form}<h1>Top</h1></main>")
    reply = await shared_server.call("browser_snapshot", depth=1)
    assert lines_of(reply).split("\n") == [
        "- main:",
        '  - form "F": # 2 more elements',
        '  - heading "Top" [level=1]',
        (
            "# depth=1: 2 deeper elements omitted. "
            "To read more, use a greater depth, or ref for one part."
        ),
    ]


# ---- filename


async def test_a_snapshot_can_be_saved_to_a_file(
    server: ServerClient, site: Site, tmp_path: Path
) -> None:
    await server.call("browser_navigate", url=site.page("<main><button>Save</button></main>"))
    reply = await server.call("browser_snapshot", filename="shots/one.yml", boxes=True, depth=1)
    assert reply.sections["Snapshot"] == "- [Snapshot](shots/one.yml)"
    assert "Save" not in reply.text
    saved = (tmp_path / "shots/one.yml").read_text()
    assert re.fullmatch(r'- main:\n  - button "Save" \[ref=e1\] \[box=[\d,]+\]\n', saved)


async def test_a_file_outside_of_the_directories_is_refused(
    shared_server: ServerClient, show: Show
) -> None:
    await show("<button>Save</button>")
    reply = await shared_server.call("browser_snapshot", filename="../../outside.yml")
    assert reply.is_error
    assert "outside the directories that the server may write to" in reply.sections["Error"]


async def test_the_file_has_the_whole_snapshot_whatever_the_budget(
    small: StdioClient, site: Site, tmp_path: Path
) -> None:
    await small.call("browser_navigate", url=site.page(LIST))
    await small.call("browser_snapshot", filename="whole.yml")
    whole = (tmp_path / "whole.yml").read_text()
    assert whole.count("Item number") == 200


# ---- the budget


async def test_over_the_budget_long_names_with_refs_are_cut_first(
    small: StdioClient, site: Site, tmp_path: Path
) -> None:
    names = [f"Story {n} " + f"tells what happened in part {n} " * 10 for n in range(8)]
    buttons = "".join(f"<button>{name}</button>" for name in names)
    await small.call("browser_navigate", url=site.page(f"<h1>{names[0]}</h1>{buttons}"))
    reply = await small.call("browser_snapshot")
    lines = [line for line in lines_of(reply).split("\n") if not line.startswith("#")]
    assert len(lines_of(reply)) <= 2000
    assert re.fullmatch(r'- heading "Story 0 .*…" \[level=1\]: … .*', lines[0])
    assert [line.split('"')[1][:7] for line in lines[1:]] == [f"Story {n}" for n in range(8)]
    assert all(re.search(r'…" \[ref=e\d+\]$', line) for line in lines[1:])
    [path] = re.findall(r"To read more: ([^\s,]+)", lines_of(reply))
    assert (tmp_path / path).read_text().count(": … ") == 9


async def test_a_page_over_the_budget_is_cut_and_the_whole_is_in_a_file(
    small: StdioClient, site: Site, tmp_path: Path
) -> None:
    await small.call("browser_navigate", url=site.page(LIST))
    shown = lines_of(await small.call("browser_snapshot"))
    assert len(shown) <= 2000
    assert 'Item number 1"' in shown
    assert "Item number 198" not in shown
    match = re.search(
        r"# ([\d,]+) of ([\d,]+) characters, (\d+) elements omitted. To read more: (\S+), ", shown
    )
    assert match
    whole = (tmp_path / match[4]).read_text().removesuffix("\n")
    assert len(whole) == int(match[2].replace(",", ""))
    assert shown.rindex("\n#") == int(match[1].replace(",", "")) > 1000
    left_out = whole.count("[ref=") - shown.count("[ref=")
    assert left_out == int(match[3])
    assert isinstance(yaml.safe_load(whole), list)


async def test_the_content_after_a_long_list_is_still_shown(small: StdioClient, site: Site) -> None:
    reply = await small.call("browser_navigate", url=site.page(LIST))
    assert re.search(r"    # … 1\d\d more listitems \(", reply.text)
    assert reply.ref("button", "Next page")


async def test_a_cut_snapshot_says_how_to_read_on_and_is_valid_yaml(
    small: StdioClient, site: Site
) -> None:
    reply = await small.call("browser_navigate", url=site.page(LIST))
    assert reply.text.endswith(
        "To read more: browser_snapshot (all, or a part: ref), browser_find.\n```"
    )
    assert isinstance(yaml.safe_load(lines_of(reply)), list)


async def test_refs_of_elements_that_are_not_shown_work(small: StdioClient, site: Site) -> None:
    reply = await small.call("browser_navigate", url=site.page(LIST))
    last = int(reply.ref("button", "Next page").removeprefix("e")) - 1
    clicked = await small.call("browser_evaluate", ref=f"e{last}", function="e => e.textContent")
    assert clicked.sections["Result"] == "Item number 199"


async def test_a_megabyte_of_text_is_cut_with_a_count(small: StdioClient, site: Site) -> None:
    url = site.page(f"<p>{'word ' * 200_000}</p><button>After</button>")
    reply = await small.call("browser_navigate", url=url)
    assert 500 < len(lines_of(reply)) <= 2000
    assert re.search(r'…" # \d{3},\d{3} more characters', reply.text)
    assert reply.ref("button", "After")


async def test_a_part_that_fits_the_budget_is_shown_whole(small: StdioClient, site: Site) -> None:
    url = site.page(f"<ul>{ROWS}</ul><section id=s><button>Last</button></section>")
    await small.call("browser_navigate", url=url)
    reply = await small.call("browser_snapshot", ref="#s")
    assert "omitted" not in reply.text
    assert reply.ref("button", "Last")


async def test_the_first_look_at_a_long_page_is_an_overview(
    shared_server: ServerClient, show: Show
) -> None:
    links = "".join(f"<li><a href=/{n}>Chapter {n} of the manual</a></li>" for n in range(200))
    looked = await show(f"<nav><ul>{links}</ul></nav>{LIST}")
    overview = lines_of(looked)
    assert len(overview) < 6000
    assert looked.ref("button", "Next page")
    assert [overview.count(text) > 4 for text in ("Chapter", "Item number")] == [True, True]
    counts = re.findall(r"# … (\d+) more listitems", overview)
    assert sum(map(int, counts)) + overview.count("- listitem:") == 400
    whole = lines_of(await shared_server.call("browser_snapshot"))
    assert whole.count("- listitem:") == 400
    brief = lines_of(await shared_server.call("browser_snapshot", budget=1500))
    assert 1000 < len(brief) <= 1500
    found = await shared_server.call("browser_snapshot", ref="main")
    assert lines_of(found).count("Item number") == 200


async def test_changes_after_an_overview_are_compared_with_the_whole_page(
    shared_server: ServerClient, show: Show
) -> None:
    looked = await show(f"{LIST}<script>setTimeout(() => 0)</script>")
    await shared_server.call(
        "browser_evaluate", function="() => { document.links[150].textContent = 'Changed' }"
    )
    reply = await shared_server.call("browser_hover", ref=looked.ref("button", "Next page"))
    assert reply.sections["Snapshot"].startswith("Changes on the page:")
    assert len(re.findall("<changed>|<added>|<removed>", reply.text)) == 1


async def test_the_whole_snapshot_is_saved_again_if_its_file_was_removed(
    small: StdioClient, site: Site, tmp_path: Path
) -> None:
    await small.call("browser_navigate", url=site.page(LIST))
    first = await small.call("browser_snapshot")
    assert (await small.call("browser_snapshot")).text == first.text
    for file in (tmp_path / ".viewpoint-mcp").glob("*.yml"):
        file.unlink()
    again = await small.call("browser_snapshot")
    assert again.text != first.text
    assert len(list((tmp_path / ".viewpoint-mcp").glob("*.yml"))) == 1


async def test_the_page_is_read_as_text(shared_server: ServerClient, show: Show) -> None:
    await show(TEAS)
    reply = await shared_server.call("browser_snapshot", text=True)
    assert reply.sections["Snapshot"].split("\n") == [
        *("# Teas", "Read the rules, please.", "def brew(tea):", "    return 1"),
        *("\\### Error", "a", "\\### Result", "b", "Name | Price", "Assam | 12 €"),
        *("- One", "- Two [Buy]", "City: Graz", "In a frame"),
    ]


async def test_one_element_is_read_as_text(shared_server: ServerClient, show: Show) -> None:
    await show(TEAS)
    reply = await shared_server.call("browser_snapshot", ref="ul", text=True)
    assert reply.sections["Snapshot"] == "- One\n- Two [Buy]"


async def test_the_next_reply_shows_changes_since_the_last_tree(
    shared_server: ServerClient, show: Show
) -> None:
    await show("<p id=p>One</p>" + "<p>More</p>" * 20)
    await shared_server.call("browser_evaluate", function="p.textContent = 'Two'")
    await shared_server.call("browser_snapshot", text=True)
    reply = await shared_server.call("browser_wait_for", time=0)
    assert "- <changed> paragraph: Two" in reply.sections["Snapshot"]


async def test_a_long_text_is_cut_and_saved(
    open_here: OpenHere, tmp_path: Path, site: Site
) -> None:
    page = site.page("".join(f"<p>Line {number}</p>" for number in range(500)))
    async with open_here("--snapshot-budget=1000", cwd=tmp_path) as server:
        await server.call("browser_navigate", url=page)
        reply = await server.call("browser_snapshot", text=True)
        await server.call("browser_snapshot", text=True, filename="all.txt")
    *lines, notice = reply.sections["Snapshot"].split("\n")
    assert lines == [f"Line {number}" for number in range(len(lines))]
    assert len(reply.sections["Snapshot"]) <= 1000
    assert notice.startswith("[")
    path = re.search(r"read more: (\S+\.txt)", notice)
    assert path
    saved = tmp_path / path[1]
    assert saved.read_text() == (tmp_path / "all.txt").read_text()
    assert saved.read_text().endswith("Line 499\n")


@pytest.mark.parametrize("other", [{"depth": 1}, {"allRefs": True}, {"boxes": True}])
async def test_text_excludes_arguments_of_the_tree(
    shared_server: ServerClient, show: Show, other: dict[str, Any]
) -> None:
    await show("<p>Tea</p>")
    reply = await shared_server.call("browser_snapshot", text=True, **other)
    assert reply.sections["Error"].startswith("text excludes depth, allRefs and boxes.")
