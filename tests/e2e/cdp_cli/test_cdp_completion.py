"""Completion of the protocol's names in a shell."""

from __future__ import annotations

import pytest

from tests.e2e.cdp_cli.conftest import Cli


@pytest.mark.parametrize(
    ("words", "completed"),
    [
        ("cdp se", ["send"]),
        ("cdp send Page.getRes", ["Page.getResourceContent", "Page.getResourceTree"]),
        ("cdp send page.getresourcet", ["Page.getResourceTree"]),
        ("cdp -e 9222 send Target.activ", ["Target.activateTarget"]),
        ("cdp listen Netw", ["Network"]),
        ("cdp listen Page Network.responseRec", ["Network.responseReceived"]),
        ("cdp help Network.Reso", ["Network.ResourceType", "Network.ResourceTiming"]),
        ("cdp send Nowhere.", []),
    ],
)
async def test_names_are_completed_without_a_browser(
    cdp: Cli, words: str, completed: list[str]
) -> None:
    number = len(words.split()) - 1
    ended = await cdp(
        CDP_ENDPOINT="1", _CDP_COMPLETE="bash_complete", COMP_WORDS=words, COMP_CWORD=str(number)
    )
    names = [line.partition(",")[2] for line in ended.lines if line]
    assert (ended.err, [name for name in names if name in completed]) == ("", completed)
    assert bool(names) == bool(completed)


async def test_targets_are_completed_if_the_browser_answers(cdp: Cli) -> None:
    typed = "cdp send Page.enable -t "
    (first,) = [each for each in (await cdp("targets", "--json")).json if each["title"] == "First"]
    output = await cdp(_CDP_COMPLETE="zsh_complete", COMP_WORDS=typed, COMP_CWORD="4")
    assert output.lines[:3] == ["plain", first["targetId"], "First"]
    nobody = await cdp(
        CDP_ENDPOINT="1", _CDP_COMPLETE="zsh_complete", COMP_WORDS=typed, COMP_CWORD="4"
    )
    assert (nobody.status, nobody.out.strip(), nobody.err) == (0, "", "")


async def test_zsh_shows_a_description_of_each_candidate(cdp: Cli) -> None:
    ended = await cdp(
        _CDP_COMPLETE="zsh_complete", COMP_WORDS="cdp send Page.navigate", COMP_CWORD="2"
    )
    assert ended.lines[:3] == ["plain", "Page.navigate", "Navigates current page to the given URL"]


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
async def test_each_shell_gets_a_completion_script(cdp: Cli, shell: str) -> None:
    ended = await cdp(_CDP_COMPLETE=f"{shell}_source")
    assert f"_CDP_COMPLETE={shell}_complete" in ended.out
