"""The client imports little, and finds the server of its workspace."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from viewpoint_mcp.shell.client import find_command
from viewpoint_mcp.shell.endpoint import (
    LOOPBACK_VARIABLE,
    EndpointError,
    find_workspace,
    list_endpoints,
    make_endpoint,
    uses_loopback,
)

PRINT_IMPORTS = """
import sys
import viewpoint_mcp.shell.client
print(*sorted(sys.modules))
"""


@pytest.fixture
def short_path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return an empty directory with a path that is short enough for a socket."""
    return tmp_path_factory.mktemp("s")


def test_the_client_imports_no_other_library_and_no_other_package() -> None:
    done = subprocess.run(
        [sys.executable, "-I", "-c", f"import sys; sys.path[:0] = {sys.path}\n{PRINT_IMPORTS}"],
        capture_output=True,
        text=True,
        check=True,
    )
    modules = done.stdout.split()
    own = {each for each in modules if each.startswith("viewpoint_mcp")}
    assert own == {
        *("viewpoint_mcp", "viewpoint_mcp.shell"),
        *("viewpoint_mcp.shell.client", "viewpoint_mcp.shell.endpoint"),
        "viewpoint_mcp.shell.response",
    }
    assert not {
        "msgspec",
        "click",
        "orjson",
        "asyncio",
        "argparse",
        "http.client",
        "subprocess",
    } & set(modules)


@pytest.mark.parametrize(
    ("argv", "name"),
    [
        (["-s", "a", "close"], "close"),
        (["--session=a", "click", "close"], "click"),
        (["--json"], None),
        ([], None),
    ],
)
def test_the_command_follows_the_options(argv: list[str], name: str | None) -> None:
    assert find_command(argv) == name


def test_the_workspace_is_the_directory_of_the_repository(tmp_path: Path) -> None:
    inner = tmp_path / "shop" / "src"
    inner.mkdir(parents=True)
    assert find_workspace(str(inner), {}) == str(inner)
    (tmp_path / "shop" / ".git").touch()
    assert find_workspace(str(inner), {}) == str(tmp_path / "shop")
    other = {"VIEWPOINT_WORKSPACE": str(tmp_path)}
    assert find_workspace(str(inner), other) == str(tmp_path)


def test_the_directory_of_the_socket_is_private(short_path: Path) -> None:
    short_path.joinpath("viewpoint-mcp").mkdir(mode=0o755)
    endpoint = make_endpoint("/shop", {"XDG_RUNTIME_DIR": str(short_path)})
    assert endpoint.socket_path.startswith(f"{short_path}/viewpoint-mcp/")
    assert Path(endpoint.directory).stat().st_mode & 0o777 == 0o700
    assert make_endpoint("/other", {"XDG_RUNTIME_DIR": str(short_path)}) != endpoint


def test_without_a_runtime_directory_the_cache_has_the_socket(short_path: Path) -> None:
    endpoint = make_endpoint("/shop", {"VIEWPOINT_MCP_CACHE_DIR": str(short_path)})
    assert endpoint.directory == str(short_path / "shell")


def test_a_path_that_is_too_long_for_a_socket_is_refused(tmp_path: Path) -> None:
    directory = tmp_path / ("long" * 25)
    directory.mkdir()
    with pytest.raises(EndpointError, match=r"too long for a socket\. Set XDG_RUNTIME_DIR"):
        make_endpoint("/shop", {"XDG_RUNTIME_DIR": str(directory)})


def test_a_path_that_is_too_long_for_a_socket_suits_a_port(tmp_path: Path) -> None:
    directory = tmp_path / ("long" * 25)
    directory.mkdir()
    environ = {"XDG_RUNTIME_DIR": str(directory), LOOPBACK_VARIABLE: "1"}
    endpoint = make_endpoint("/shop", environ)
    assert endpoint.connect() is None
    Path(endpoint.port_file).touch()
    assert list_endpoints(environ) == [endpoint]


def test_windows_uses_a_port_in_the_directory_of_the_user(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("viewpoint_mcp.shell.endpoint.sys.platform", "win32")
    monkeypatch.delattr("os.getuid")
    monkeypatch.delattr("socket.AF_UNIX")
    assert uses_loopback({})
    endpoint = make_endpoint("C:\\shop", {"VIEWPOINT_MCP_CACHE_DIR": str(tmp_path)})
    assert endpoint.directory == str(tmp_path / "shell")
    assert endpoint.connect() is None


@pytest.mark.parametrize(("value", "expected"), [("1", True), ("0", False), ("", False)])
def test_the_variable_chooses_a_port(value: str, expected: bool) -> None:
    assert uses_loopback({LOOPBACK_VARIABLE: value}) is expected


def test_a_directory_that_cannot_be_made_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "viewpoint-mcp").touch()
    with pytest.raises(EndpointError, match="Cannot create"):
        make_endpoint("/shop", {"XDG_RUNTIME_DIR": str(tmp_path)})
    with pytest.raises(EndpointError, match="Set XDG_RUNTIME_DIR or HOME"):
        make_endpoint("/shop", {})
