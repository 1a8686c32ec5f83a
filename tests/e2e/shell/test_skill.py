"""An agent can run each command of the guide that `viewpoint skill` prints."""

from __future__ import annotations

import asyncio
from asyncio.subprocess import PIPE
from pathlib import Path

import pytest

from tests.code_blocks import ROOT, Document
from tests.e2e.documentation.conversation import HERE, serve_shop
from tests.e2e.shell.conftest import Printed, Shell, finish
from tests.e2e.shell.terminal import PROMPT, make_executables, open_terminal
from tests.e2e.support.users_browser import UserBrowser
from tests.site import Site
from viewpoint_mcp.shell.skill.stub import render_stub

GUIDE = Document(ROOT / "viewpoint_mcp" / "shell" / "skill" / "guide.md")
START = "viewpoint start "
STARTS = [
    line.partition(" #")[0].rstrip()
    for block in GUIDE.blocks
    for line in block.text.splitlines()
    if line.startswith(START)
]
ENDPOINT = "http://127.0.0.1:9222"
# What the commands of a section print, among other things.
PRINTED = {
    "Read": ["[ref=e28]", 'button "Add Oolong to cart" [ref=e22]', "25 more elements", ".png"],
    "Act": ['Clicked button "Add Oolong to cart"', "1 of 5 teas", "Popup opened as tab 1"],
    "Batch": ["6. browser_click", "Order tea for ", "Thank you, Anna"],
    "Log in": [
        "Saved 0 cookies and the storage of 1 origin",
        "/view#",
        "  ben: last command",
        "Closed ben",
    ],
    "Debug": ["Total messages: 0", "/order.html", "<title>Order placed - Teahouse"],
    "Close": ["Closed default"],
}


class Bash:
    """Runs scripts with the commands of this checkout."""

    def __init__(self, shell: Shell, directory: Path) -> None:
        self.shell = shell
        self.path = f"{make_executables(directory)}:{shell.env['PATH']}"

    async def run(self, script: str, workspace: Path | None = None) -> Printed:
        """Run a script until a command fails."""
        return await finish(
            await asyncio.create_subprocess_exec(
                *("bash", "-eu", "-c", script),
                stdin=PIPE,
                stdout=PIPE,
                stderr=PIPE,
                cwd=workspace or self.shell.workspace,
                env=self.shell.env | {"PATH": self.path},
            )
        )


@pytest.fixture
def bash(shell: Shell, tmp_path_factory: pytest.TempPathFactory) -> Bash:
    return Bash(shell, tmp_path_factory.mktemp("bin"))


@pytest.mark.time_limit(90)
async def test_each_command_of_the_guide_succeeds(bash: Bash, site: Site) -> None:
    address = serve_shop(site, GUIDE)
    (bash.shell.workspace / "photo.png").touch()
    printed: dict[str, str] = {}
    for block in GUIDE.blocks:
        assert block.language == "sh"
        if not block.text.startswith(START):
            text = (await bash.run(block.text.replace(HERE, address))).text
            printed[block.section] = printed.get(block.section, "") + text
    assert printed.keys() == PRINTED.keys()
    for section, expected in PRINTED.items():
        assert [each for each in expected if each not in printed[section]] == []
    assert bash.shell.addresses == []


@pytest.mark.prove
@pytest.mark.parametrize("start", [each for each in STARTS if ENDPOINT not in each])
async def test_the_browser_starts_with_the_flags_of_the_guide(
    bash: Bash, site: Site, start: str
) -> None:
    address = serve_shop(site, GUIDE)
    (bash.shell.workspace / "secrets.env").write_text("SHOP_PASSWORD=hunter2\n")
    steps = (start, f"viewpoint open {address}", "viewpoint type '#search' SHOP_PASSWORD")
    text = (await bash.run("\n".join(steps))).text
    field = 'searchbox "Search teas" [active] [placeholder="Search"] [ref=e2]'
    typed = "<secret>SHOP_PASSWORD</secret>" if "--secrets" in start else "SHOP_PASSWORD"
    assert f"{field}: {typed}" in text
    assert "hunter2" not in text


async def test_a_running_browser_can_be_used(
    bash: Bash, site: Site, user_browser: UserBrowser
) -> None:
    (start,) = [each for each in STARTS if ENDPOINT in each]
    start = start.replace(ENDPOINT, f"http://127.0.0.1:{user_browser.port}")
    assert user_browser.url in (await bash.run(f"{start}\nviewpoint tabs")).text


def test_a_person_is_asked_before_the_skill_is_written(shell: Shell, tmp_path: Path) -> None:
    directory = make_executables(tmp_path)
    env = {**shell.env, "PATH": f"{directory}:{shell.env['PATH']}", "HOME": str(tmp_path)}
    file = shell.workspace / ".claude" / "skills" / "viewpoint" / "SKILL.md"
    with open_terminal("bash", shell.workspace, env) as terminal:
        terminal.read_until(PROMPT)
        terminal.type("viewpoint install --skills --agent claude\n")
        assert f"{file}  new  (claude)" in terminal.read_until("Write 1 file? [y/N] ")
        assert "Nothing was written." in terminal.run("n")
        assert not file.exists()
        terminal.type("viewpoint install --skills --agent claude\n")
        terminal.read_until("Write 1 file? [y/N] ")
        assert f"{file}  new  (claude)" in terminal.run("yes")
    assert file.read_text() == render_stub()
