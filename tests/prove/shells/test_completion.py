"""Tab completes commands in a real zsh and a real fish, which scripts/setup.sh installs."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

from tests.e2e.shell.terminal import COMPLETIONS, PROMPT, make_executables, open_terminal
from viewpoint_mcp.shell.completion.command import run_completion


def make_environment(directory: Path) -> dict[str, str]:
    path = f"{make_executables(directory)}:{os.environ['PATH']}"
    return {**os.environ, "PATH": path, "HOME": str(directory), "XDG_RUNTIME_DIR": str(directory)}


def test_tab_completes_in_zsh(tmp_path: Path) -> None:
    env = make_environment(tmp_path)
    (tmp_path / "photo of tea.png").touch()
    functions = tmp_path / "functions"
    functions.mkdir()
    (functions / "_viewpoint").write_text(run_completion(["completion", "zsh"]).stdout)
    for source in (
        "autoload -U compinit; compinit -u -D; source <(viewpoint completion zsh)",
        f"fpath=({functions} $fpath); autoload -U compinit; compinit -u -D",
    ):
        with open_terminal("zsh", tmp_path, env) as terminal:
            terminal.read_until(PROMPT)
            terminal.run(source)
            for line, completed in COMPLETIONS.items():
                assert completed in terminal.complete(line, completed)
            assert "-- Scroll" in terminal.complete("viewpoint scr", "-- Scroll")


def test_tab_completes_in_fish(tmp_path: Path) -> None:
    (tmp_path / "photo of tea.png").touch()
    for line, candidates in {
        "viewpoint take-scr": ["take-screenshot\tScreenshot"],
        "viewpoint click e1 --dou": ["--double-click\tWhether to click twice"],
        "viewpoint --json tabs s": ["select"],
        "viewpoint console --level err": ["error"],
        "viewpoint console --level=err": ["--level=error"],
        "viewpoint upload pho": ["photo of tea.png"],
        "viewpoint pdf --filename=pho": ["--filename=photo of tea.png"],
        "viewpoint click ": [],
    }.items():
        script = 'viewpoint completion fish | source; complete -C "$LINE"'
        done = subprocess.run(
            ["fish", "--no-config", "--command", script],
            env=make_environment(tmp_path) | {"LINE": line},
            cwd=tmp_path,
            capture_output=True,
            text=True,
            check=False,
        )
        assert (done.stdout.splitlines(), done.stderr) == (candidates, "")
