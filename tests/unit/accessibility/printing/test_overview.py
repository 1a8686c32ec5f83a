"""The overview of a long page: what it always shows, what it cuts first, and its counts."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest
import yaml  # type: ignore[import-untyped, unused-ignore]

from tests.unit.accessibility.printing.test_snapshot_budget import random_text
from viewpoint_mcp.accessibility.printing.overview import make_overview
from viewpoint_mcp.accessibility.printing.printed_snapshot_lines import SnapshotLines

PAGES = Path(__file__).with_name("pages")
BUDGET = 40_000


def read_page(name: str) -> str:
    """Return the snapshot of a page of a real application."""
    return (PAGES / f"{name}.yml").read_text(encoding="utf-8").removesuffix("\n")


def overview_of(text: str, length: int) -> list[str]:
    return make_overview(text, length, BUDGET).text.split("\n")


def lines_with(pattern: str, text: str) -> list[str]:
    return [line for line in text.split("\n") if re.search(pattern, line)]


def test_a_list_of_orders_keeps_its_filters_and_its_first_rows() -> None:
    page = read_page("django_orders")
    overview = make_overview(page, 6000, BUDGET).text
    assert len(overview) <= 6000
    rows = lines_with("Order 10", overview)
    assert 8 <= len(rows) <= 15
    assert rows[-1].startswith(
        '    - row: checkbox "Select this object for an action - Order 1049"'
    )
    [count] = re.findall(
        r"\n    # … (\d+) more rows \((\d+) elements, [\d,]+ characters\)\n", overview
    )
    assert int(count[0]) + len(rows) == 50
    assert lines_with("Order 10", page)[: len(rows) - 1] == rows[:-1]
    without_rows = [line for line in page.split("\n") if "Order 10" not in line]
    assert [line for line in overview.split("\n") if line in without_rows] == without_rows


def test_a_page_of_settings_keeps_the_controls_of_its_main_part() -> None:
    page = read_page("gentelella_settings")
    overview = make_overview(page, 5000, BUDGET).text
    assert len(overview) < 6000
    main, shown = page[page.index("- main:") :], overview[overview.index("- main:") :]
    control = r"- (button|textbox|combobox|radio|heading)"
    repeated = r'"(Revoke|Manage|Connect|Connected ✓)"'
    wanted = [line for line in lines_with(control, main) if not re.search(repeated, line)]
    assert len(wanted) > 25
    assert [line for line in wanted if line not in shown] == []
    assert overview.index("more elements") < overview.index("- main:")


@pytest.mark.parametrize("name", ["django_orders", "gentelella_settings"])
@pytest.mark.parametrize("length", [500, 2000, 6000])
def test_every_cut_of_a_page_is_counted(name: str, length: int) -> None:
    page = read_page(name)
    overview = make_overview(page, length, BUDGET)
    lines, shown = SnapshotLines(page), SnapshotLines(overview.text)
    missing = lines.count_elements(0, len(lines.lines)) - shown.count_elements(0, len(shown.lines))
    assert overview.omitted_elements == missing > 0
    assert overview.omitted_characters == len(page) - len(overview.text)
    assert isinstance(yaml.safe_load(overview.text), list)


@pytest.mark.parametrize("seed", range(60))
def test_an_overview_is_valid_and_within_its_budget(seed: int) -> None:
    rng = random.Random(seed)
    text = random_text(rng, rng.choice([200, 3000]))
    overview = make_overview(text, rng.choice([1000, 6000]), 10_000)
    assert len(overview.text) <= 10_000
    assert isinstance(yaml.safe_load(overview.text), list)


def test_a_run_shows_twenty_siblings_and_its_last_one() -> None:
    rows = [f"  - row: Total {n}" for n in range(500)]
    shown = overview_of("\n".join(["- table:", *rows]), 6000)
    assert shown[:20] == ["- table:", *rows[:19]]
    assert shown[-1] == rows[-1]
    assert re.fullmatch(r"  # … 4\d\d more rows \([\d,]+ characters\)", shown[-2])


def test_a_budget_as_a_length_is_used_up() -> None:
    rows = [f"  - row: Total {n}" for n in range(500)]
    overview = make_overview("\n".join(["- table:", *rows]), 6000, 6000).text
    assert 5500 < len(overview) <= 6000


def test_content_outside_the_main_part_is_cut_first() -> None:
    links = [f'  - link "Page {n}" [ref=e{n}] -> /pages/{n}' for n in range(100)]
    rows = [f"  - row: Order {n} | Paid | Elin Weber | 2026-01-01" for n in range(18)]
    fields = [f'  - textbox "A field of the order {n}" [ref=e20{n}]' for n in range(30)]
    shown = overview_of("\n".join(["- navigation:", *links, "- main:", *fields, *rows]), 3500)
    assert [line for line in fields + rows if line not in shown] == []
    assert 3 < sum(line in shown for line in links) < 30


def test_a_dialog_outside_of_the_main_part_belongs_to_it() -> None:
    links = [f'  - link "Page {n}" [ref=e{n}] -> /pages/{n}' for n in range(200)]
    buttons = [f'  - button "Choice {n}" [ref=e30{n}]' for n in range(20)]
    page = ["- navigation:", *links, "- main:", *links, '- dialog "Choose":', *buttons]
    assert overview_of("\n".join(page), 3000)[-21:] == page[-21:]


def test_a_small_landmark_main_does_not_make_the_rest_unimportant() -> None:
    fields = [f'  - textbox "Field {n}" [ref=e{n}]' for n in range(25)]
    texts = [f"  - listitem: Text {n}" for n in range(300)]
    page = ["- main: Short", "- group:", *fields, "- list:", *texts]
    assert [line for line in fields if line not in overview_of("\n".join(page), 2000)] == []


def test_the_buttons_of_each_row_are_not_essential() -> None:
    card = ["  - text: Some product", '  - button "Add to cart" [ref=e1]', "  - text: 5 €"]
    page = ["- main:", *card * 100, '  - button "Check out" [ref=e2]']
    shown = overview_of("\n".join(page), 2000)
    assert 3 < shown.count(card[1]) < 30
    assert shown[-1] == page[-1]


def test_an_article_is_shown_as_its_headings_and_the_beginning_of_their_texts() -> None:
    page = ["- main:"]
    for chapter in range(8):
        page.append(f'  - heading "Chapter {chapter}" [level=2]')
        for section in range(8):
            page.append(f'  - heading "Section {chapter}.{section}" [level=3]')
            page += ["  - paragraph: " + "word " * 100, "  - text: code = 1"] * 3
    shown = overview_of("\n".join(page), 3000)
    assert len("\n".join(shown)) <= 3000
    chapters = [line for line in page if "Chapter" in line]
    assert [line for line in shown if "Chapter" in line] == chapters


def test_messages_and_invalid_fields_are_essential() -> None:
    rows = [f"  - paragraph: {'word ' * 30}{n}" for n in range(100)]
    kept = ["  - alert: The order was not saved.", '  - textbox "Day" [invalid] [ref=e1]: x']
    page = ["- main:", *rows[:50], kept[0], *rows[50:70], kept[1], *rows[70:]]
    shown = overview_of("\n".join(page), 1500)
    assert [line for line in kept if line in shown] == kept


def test_a_value_of_a_field_can_be_cut() -> None:
    page = [
        "- main:",
        f'  - textbox "Text" [ref=e1]: {"word " * 5000}',
        '  - button "Save" [ref=e2]',
    ]
    shown = overview_of("\n".join(page), 2000)
    assert shown[1].startswith('  - textbox "Text" [ref=e1]: "word word')
    assert len("\n".join(shown)) <= 2000
    assert shown[2] == page[2]


def test_a_page_with_too_many_controls_is_cut_to_its_budget() -> None:
    roles = ["button", "textbox", "checkbox", "radio", "combobox"]
    rng = random.Random(1)
    page = [f'- {rng.choice(roles)} "Control {n}" [ref=e{n}]' for n in range(3000)]
    overview = make_overview("\n".join(page), 2000, 10_000)
    assert 8000 < len(overview.text) <= 10_000
