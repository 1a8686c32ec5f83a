"""The judge finds each kind of difference."""

from __future__ import annotations

from tests.prove.fidelity.element_report import ElementReport
from tests.prove.fidelity.judge import ALL_PRINTED, Judged, compare, figures

BUTTON = "<button>"


def judge_one(
    ours: ElementReport | None, chrome: ElementReport | None, element: str = BUTTON
) -> Judged:
    (judged,) = compare(
        "page",
        {1: element},
        {} if ours is None else {1: ours},
        {} if chrome is None else {1: chrome},
    )
    return judged


def test_the_same_role_and_name_agree() -> None:
    judged = judge_one(ElementReport("button", "Go"), ElementReport("button", "Go"))
    assert judged.agrees
    assert judged.classes == ["interactive elements", ALL_PRINTED]


def test_other_words_for_a_role_agree() -> None:
    assert judge_one(ElementReport("img", "Cup"), ElementReport("image", "Cup")).agrees


def test_another_name_is_found() -> None:
    assert (
        judge_one(ElementReport("button", "Go"), ElementReport("button", "Stop")).kind
        == "name of button"
    )


def test_another_role_counts_in_both_classes() -> None:
    judged = judge_one(ElementReport("link", "Go"), ElementReport("heading", "Go"))
    assert judged.kind == "role link, Chrome's heading"
    assert judged.classes == ["interactive elements", "headings", ALL_PRINTED]


def test_an_element_that_is_not_printed_is_found() -> None:
    judged = judge_one(None, ElementReport("button", "Go"))
    assert judged.kind == "button is not printed"
    assert judged.classes == ["interactive elements"]


def test_an_element_that_chrome_ignores_is_found() -> None:
    judged = judge_one(ElementReport("button", "Go"), None)
    assert judged.kind == "button is ignored by Chrome"
    assert not judged.excuse


def test_only_an_image_without_text_may_be_missing() -> None:
    assert judge_one(None, ElementReport("image", is_mute=True)).excuse
    assert not judge_one(None, ElementReport("image")).excuse
    assert not judge_one(None, ElementReport("image", "Cup")).excuse
    assert not judge_one(None, ElementReport("button", "Go", is_mute=False)).excuse


def test_text_and_boxes_that_neither_class_names_are_not_judged() -> None:
    assert compare("page", {1: "<div>"}, {}, {1: ElementReport("generic")}) == []


def test_an_element_that_is_not_in_the_source_is_not_judged() -> None:
    assert compare("page", {}, {}, {7: ElementReport("button", "Picker")}) == []


def test_figures_count_agreement_by_class() -> None:
    judged = [
        judge_one(ElementReport("button", "Go"), ElementReport("button", "Go")),
        judge_one(ElementReport("button", "Go"), ElementReport("button", "Stop")),
        judge_one(None, ElementReport("link", "Lost")),
        judge_one(ElementReport("generic"), None),
    ]
    found = figures(judged)
    interactive, printed = found["interactive elements"], found[ALL_PRINTED]
    assert (interactive.total, interactive.differ) == (3, 2)
    assert (printed.total, printed.differ, printed.excused) == (3, 1, 1)
    assert round(printed.percent, 1) == 66.7
