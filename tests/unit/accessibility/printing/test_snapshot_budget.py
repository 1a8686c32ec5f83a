"""A snapshot cut to a budget: the parts that stay, the counts of the others, and valid YAML."""

from __future__ import annotations

import json
import random
import re

import pytest
import yaml  # type: ignore[import-untyped, unused-ignore]

from viewpoint_mcp.accessibility.printing.printed_snapshot_lines import (
    SnapshotLines,
    shorten_line,
    split_into_key_text_and_comment,
)
from viewpoint_mcp.accessibility.printing.snapshot_budget import fit_to_budget

BUDGET = 1500


def lines_of(role: str, count: int, indent: int = 0) -> list[str]:
    return [f'{" " * indent}- {role} "Number {n}"' for n in range(count)]


def text_of(*lines: str) -> str:
    return "\n".join(lines)


def counts_in(text: str) -> list[int]:
    """Return the numbers of characters in the comments of a cut text."""
    found = re.findall(r"([\d,]+) (?:more )?characters", text)
    return [int(number.replace(",", "")) for number in found]


def test_a_snapshot_within_the_budget_is_unchanged() -> None:
    text = text_of("- main:", *lines_of("button", 3, 2))
    assert fit_to_budget(text, len(text)).text == text
    assert fit_to_budget(text, len(text)).omitted_elements == 0


def test_the_first_items_of_a_run_are_shown_and_the_rest_counted() -> None:
    text = text_of("- list:", *lines_of("listitem", 500, 2), '- button "Next page"')
    shown = fit_to_budget(text, BUDGET).text.split("\n")
    assert shown[:3] == ["- list:", '  - listitem "Number 0"', '  - listitem "Number 1"']
    assert shown[-1] == '- button "Next page"'
    assert shown[-2] == '  - listitem "Number 499"'
    match = re.fullmatch(r"  # … (\d+) more listitems \([\d,]+ characters\)", shown[-3])
    assert match
    assert int(match[1]) + len(shown) - 3 == 500


def test_a_cut_uses_most_of_the_budget() -> None:
    text = text_of("- list:", *lines_of("listitem", 500, 2), '- button "Next page"')
    assert BUDGET * 0.85 < len(fit_to_budget(text, BUDGET).text) <= BUDGET


def test_the_elements_within_a_run_are_counted_as_well() -> None:
    rows = [line for n in range(100) for line in ("- row:", f'  - cell "{n}"', "  - text: x")]
    shown = fit_to_budget(text_of(*rows), BUDGET).text.split("\n")
    match = re.fullmatch(r"# … (\d+) more rows \((\d+) elements, [\d,]+ characters\)", shown[-4])
    assert match
    assert int(match[2]) == 2 * int(match[1])


def test_a_pattern_of_several_roles_is_a_run() -> None:
    group = [*("- heading", "- paragraph: Some text", "- link -> /x", "- img", "- textbox")]
    shown = fit_to_budget(text_of(*group * 100, "- contentinfo: End"), BUDGET).text.split("\n")
    assert shown[-1] == "- contentinfo: End"
    assert re.fullmatch(r"# … \d+ more elements \([\d,]+ characters\)", shown[-2])
    assert shown[:5] == group


def test_small_parts_stay_whole_beside_a_large_one() -> None:
    small = ["- banner:", '  - link "Home"', '- navigation "Pages":', '  - link "2"']
    text = text_of(*small[:2], "- main:", *lines_of("row", 900, 2), *small[2:])
    shown = fit_to_budget(text, BUDGET).text.split("\n")
    assert [line for line in small if line in shown] == small


def test_two_large_parts_share_the_room() -> None:
    text = text_of("- main:", *lines_of("row", 900, 2), "- aside:", *lines_of("link", 900, 2))
    shown = fit_to_budget(text, BUDGET).text
    assert 10 < shown.count("- row") < 40
    assert 10 < shown.count("- link") < 40


def test_one_large_item_does_not_hide_its_small_siblings() -> None:
    items = [f'- article "{n}"' for n in range(10)]
    text = text_of(*items[:1], "- article:", *lines_of("paragraph", 900, 2), *items[1:])
    shown = fit_to_budget(text, BUDGET).text.split("\n")
    assert [line for line in items if line in shown] == items


def test_the_middle_is_cut_when_the_budget_has_no_room_for_a_part_of_each() -> None:
    rng = random.Random(3)
    roles = rng.choices(["heading", "paragraph", "link", "button", "img"], k=3000)
    text = text_of(*(f'- {role} "{n}"' for n, role in enumerate(roles)))
    shown = fit_to_budget(text, BUDGET).text.split("\n")
    assert shown[0].endswith('"0"')
    assert shown[-1].endswith('"2999"')
    notes = [line for line in shown if line.startswith("#")]
    assert len(notes) == 1
    assert fit_to_budget(text, BUDGET).omitted_elements == 3000 - len(shown) + 1


def test_a_long_text_keeps_its_beginning_and_the_content_after_it_stays() -> None:
    text = text_of("- paragraph: " + "word " * 200_000 + "end", "- button")
    shown = fit_to_budget(text, BUDGET).text.split("\n")
    assert shown[0].startswith('- paragraph: "word word')
    kept = shown[0].removeprefix('- paragraph: "').partition("…")[0]
    assert len(kept) + counts_in(shown[0])[0] == 1_000_003
    assert shown[1] == "- button"


def test_a_long_text_with_escapes_is_cut_between_them() -> None:
    value = json.dumps('"\n\\' * 5000)
    shown = fit_to_budget(text_of(f"- paragraph: {value}", "- button"), BUDGET).text
    (first, _) = yaml.safe_load(shown)
    text = first["paragraph"]
    assert text == ('"\n\\' * 5000)[: len(text) - 1] + "…"
    assert len(text) - 1 + counts_in(shown)[0] == 15000


def test_deep_nesting_is_cut_without_recursion() -> None:
    lines = [f"{'  ' * level}- group:" for level in range(3000)]
    assert len(fit_to_budget(text_of(*lines), 40_000).text) <= 40_000


def test_every_cut_is_counted() -> None:
    text = random_text(random.Random(5), 4000)
    fitted = fit_to_budget(text, 5000)
    result = fitted.text.split("\n")
    missing = SnapshotLines(text).count_elements(0, text.count("\n") + 1) - SnapshotLines(
        fitted.text
    ).count_elements(0, len(result))
    assert fitted.omitted_elements == missing > 0
    assert fitted.omitted_characters == len(text) - len(fitted.text)


@pytest.mark.parametrize("seed", range(60))
def test_every_cut_snapshot_is_within_the_budget_and_valid_yaml(seed: int) -> None:
    rng = random.Random(seed)
    text = random_text(rng, rng.choice([50, 500, 3000]))
    budget = rng.choice([1000, 3000, 10_000])
    fitted = fit_to_budget(text, budget)
    assert len(fitted.text) <= budget
    assert isinstance(yaml.safe_load(fitted.text), list)
    assert fitted.omitted_elements == SnapshotLines(text).count_elements(
        0, text.count("\n") + 1
    ) - SnapshotLines(fitted.text).count_elements(0, fitted.text.count("\n") + 1)


def random_text(rng: random.Random, count: int) -> str:
    """A snapshot of so many lines, with long texts, keys in quotes and runs."""
    lines: list[str] = []
    level, role = 0, "row"
    for _ in range(count):
        if rng.random() < 0.3:
            role = rng.choice(["row", "listitem", "button", "group", "link", "text"])
        if role != "text" and lines and lines[-1].endswith(":"):
            level += 1
        elif rng.random() < 0.3 and level:
            level = rng.randrange(level)
        value = json.dumps("wörter: # \n" * rng.choice([1, 2, 3, 500]))
        key = f"'{role} \"it''s: {rng.random()}\" [ref=e1]'" if rng.random() < 0.2 else role
        key = "text" if role == "text" else key
        ending = f": {value}" if role == "text" or rng.random() < 0.3 else ":"
        if (
            lines
            and lines[-1].endswith(":")
            and level <= (len(lines[-1]) - len(lines[-1].lstrip())) // 2
        ):
            lines[-1] = lines[-1][:-1]
        lines.append(f"{'  ' * level}- {key}{ending}")
    return "\n".join(lines)


# ---- single lines


@pytest.mark.parametrize(
    ("line", "parts"),
    [
        ("- button", ("- button", "", "")),
        ("- paragraph: Text", ("- paragraph", "Text", "")),
        ('- paragraph: "a: \\"b\\" # c"', ("- paragraph", 'a: "b" # c', "")),
        ("""- 'link "it''s: x"': a: b""", ("""- 'link "it''s: x"'""", "a: b", "")),
        ("""- 'link "it''s: x"'""", ("""- 'link "it''s: x"'""", "", "")),
        ("- list:", ("- list:", "", "")),
        ("- row: 'it''s | \"a\"' # was: b", ("- row", 'it\'s | "a"', " # was: b")),
        ("- paragraph: Text # was: a", ("- paragraph", "Text", " # was: a")),
        ('- paragraph: "a # b" # was: a', ("- paragraph", "a # b", " # was: a")),
        ('- button "A" # was: b', ('- button "A" # was: b', "", "")),
    ],
)
def test_a_line_is_split_into_its_key_its_text_and_its_comment(
    line: str, parts: tuple[str, str, str]
) -> None:
    assert split_into_key_text_and_comment(line) == parts


def test_the_comment_of_a_line_stays_when_its_text_is_shortened() -> None:
    line = shorten_line(f"- paragraph: {'a' * 500} # added", 100)
    assert len(line) <= 100
    assert line.endswith("more characters # added")


def test_lines_that_are_comments_are_counted_as_lines() -> None:
    shown = fit_to_budget(text_of(*(f'# removed button "{n}"' for n in range(200))), BUDGET).text
    assert re.fullmatch(r"# … \d+ more lines \([\d,]+ characters\)", shown.split("\n")[-2])


def test_a_line_is_shortened_to_the_room_it_has() -> None:
    line = shorten_line("- paragraph: " + "a" * 500, 100)
    assert len(line) <= 100
    assert re.fullmatch(r'- paragraph: "a+…" # \d+ more characters', line)


def test_a_line_without_a_text_is_not_shortened() -> None:
    line = f'- button "{"a" * 100}"'
    assert shorten_line(line, 50) == line
