"""--tools: which of the tools are offered."""

from __future__ import annotations

import pytest

from viewpoint_mcp.errors import CallError
from viewpoint_mcp.tools.catalog import list_all_tools, offered_tools
from viewpoint_mcp.tools.core.tool_selection import parse_selection

CORE = [tool.name for tool in offered_tools(frozenset())]


def names(*texts: str, caps: frozenset[str] = frozenset()) -> list[str]:
    return [tool.name for tool in offered_tools(caps, parse_selection(texts, list_all_tools()))]


def test_without_a_selection_all_tools_are_listed() -> None:
    assert names() == names("all") == CORE


def test_names_alone_are_offered_in_the_usual_order() -> None:
    assert names("browser_click,browser_snapshot") == ["browser_snapshot", "browser_click"]


def test_patterns_mean_several() -> None:
    assert names("*_screenshot") == [name for name in CORE if name.endswith("_screenshot")]


def test_an_exclusion_in_first_position_excludes_from_all_tools() -> None:
    assert set(CORE) - set(names("-browser_evaluate, -browser_context_*")) == {
        name for name in CORE if name == "browser_evaluate" or name.startswith("browser_context_")
    }


def test_a_later_entry_overrides_an_earlier_one() -> None:
    assert "browser_tabs" not in names("slim,-browser_tabs")
    assert "browser_evaluate" in names("slim", "browser_evaluate")
    assert names("-browser_*", "browser_click")[-1] == "browser_click"


def test_the_slim_profile_has_less_than_half_of_the_tools() -> None:
    assert len(names("slim")) < len(CORE) / 2


def test_only_tools_of_the_slim_profile_are_listed_briefly() -> None:
    chosen = {tool.name: tool for tool in offered_tools(frozenset(), ("slim", "browser_evaluate"))}
    assert set(chosen["browser_tabs"].list_entry["inputSchema"]["properties"]) == {
        "action",
        "index",
    }
    assert "outputSchema" not in chosen["browser_tabs"].list_entry
    usual = {tool.name: tool for tool in offered_tools(frozenset())}
    assert chosen["browser_evaluate"].list_entry == usual["browser_evaluate"].list_entry


def test_a_dialog_and_a_file_chooser_can_be_answered_in_the_slim_profile() -> None:
    assert {"browser_handle_dialog", "browser_file_upload"} <= set(names("slim"))


def test_readonly_offers_no_tool_that_acts_on_a_page() -> None:
    chosen = names("readonly")
    assert "browser_snapshot" in chosen
    assert "browser_navigate" in chosen
    assert not {"browser_click", "browser_type", "browser_evaluate", "browser_tabs"} & set(chosen)


def test_tools_of_a_capability_that_is_off_stay_off() -> None:
    assert names("browser_pdf_save,browser_click") == ["browser_click"]
    assert names("browser_pdf_save", caps=frozenset({"pdf"})) == ["browser_pdf_save"]


@pytest.mark.parametrize("word", ["browser_nope", "-nope", "smal", "BROWSER_CLICK"])
def test_an_unknown_entry_is_refused(word: str) -> None:
    with pytest.raises(CallError, match="No tool matches"):
        parse_selection([f"slim,{word}"], list_all_tools())
