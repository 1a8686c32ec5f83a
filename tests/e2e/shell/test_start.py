"""`viewpoint start`, and what it refuses."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.e2e.shell.conftest import Shell
from tests.site import Site


async def test_flags_are_given_to_start(shell: Shell, site: Site) -> None:
    await shell.run("start", "--device", "iPhone 15")
    await shell.run("open", site.page("<h1>Tea</h1>"))
    assert "iPhone" in (await shell.run("eval", "() => navigator.userAgent", "--raw")).text
    assert "runs already" in (await shell.run("start")).text
    refused = await shell.run("start", "--device", "Pixel 7")
    assert refused.status == 1
    assert "Close it before: `viewpoint close -s default`." in refused.stderr


@pytest.mark.parametrize(
    ("flags", "message"),
    [
        (("--vieport-size", "1x1"), "No such option"),
        (("--viewport-size", "wide"), '"wide" is not a size.'),
        (("--port", "1"), "--port has no effect on viewpoint."),
        (("--headed", "--headless"), "--headed contradicts --headless."),
        (("now",), "No such command 'now'."),
    ],
)
async def test_wrong_flags_start_nothing(
    shell: Shell, flags: tuple[str, ...], message: str
) -> None:
    refused = await shell.run("start", *flags)
    assert refused.status == 2
    assert message in refused.stderr
    assert shell.find_servers() == {}


async def test_a_wrong_environment_variable_is_reported(shell: Shell) -> None:
    failed = await shell.run("tabs", env={"VIEWPOINT_MCP_VIEWPORT_SIZE": "wide"})
    assert failed.status == 1
    assert '"wide" is not a size.' in failed.stderr
    assert shell.find_servers() == {}


async def test_a_directory_that_cannot_have_a_socket_is_an_error(
    shell: Shell, tmp_path: Path
) -> None:
    (tmp_path / "viewpoint-mcp").touch()
    failed = await shell.run("tabs", env={"XDG_RUNTIME_DIR": str(tmp_path)})
    assert failed.status == 1
    assert "Set XDG_RUNTIME_DIR to a directory that you can write to." in failed.stderr
