"""Checks of the machine."""

from __future__ import annotations

import shutil
from pathlib import Path
from types import SimpleNamespace

import pytest

from viewpoint_mcp.cli.doctor import fonts, local_machine, sandbox
from viewpoint_mcp.cli.doctor.directories import check_disk_space, find_existing_parent, try_writing
from viewpoint_mcp.cli.doctor.finding import Status
from viewpoint_mcp.cli.doctor.proxy_and_endpoint import format_proxy_variables
from viewpoint_mcp.config.settings import Settings

CLONE = "kernel.unprivileged_userns_clone"
MOST = "user.max_user_namespaces"
APPARMOR = "kernel.apparmor_restrict_unprivileged_userns"


@pytest.mark.parametrize(
    ("listing", "count", "missing"),
    [
        ("", 0, ("CJK text", "emoji")),
        ("Sans|de|en\nMono|en\n", 2, ("CJK text", "emoji")),
        ("Noto Sans CJK JP|en|ja\n", 1, ("emoji",)),
        ("Noto Color Emoji|und-zsye\nSans|zh-cn\n", 2, ()),
        ("Twemoji Emoji|\nA|ko\n", 2, ()),
        ("No languages\n", 1, ("CJK text", "emoji")),
    ],
)
def test_fonts_are_counted_and_the_missing_groups_named(
    listing: str, count: int, missing: tuple[str, ...]
) -> None:
    assert fonts.parse_fc_list(listing) == (count, missing)


@pytest.mark.parametrize(
    ("files", "missing"),
    [
        (["DejaVuSans.ttf"], ("CJK text", "emoji")),
        (["NotoSansCJK-Regular.ttc", "NotoColorEmoji.ttf"], ()),
        (["wqy-zenhei.ttc"], ("emoji",)),
    ],
)
def test_without_fc_list_fonts_are_judged_by_their_files(
    files: list[str], missing: tuple[str, ...]
) -> None:
    assert fonts.analyze_font_files(files) == (len(files), missing)


@pytest.mark.parametrize(
    ("count", "missing", "status"),
    [(0, (), Status.FAILED), (3, (), Status.OK), (1, ("emoji",), Status.NOTE)],
)
def test_no_font_at_all_fails_and_a_missing_group_is_a_note(
    count: int, missing: tuple[str, ...], status: Status
) -> None:
    assert fonts.judge_fonts(count, missing).status is status


@pytest.mark.parametrize(
    ("says", "expected"),
    [
        ({}, []),
        ({"kernel/unprivileged_userns_clone": "1", "user/max_user_namespaces": "63000"}, []),
        ({"kernel/unprivileged_userns_clone": "0"}, [CLONE]),
        ({"user/max_user_namespaces": "0"}, [MOST]),
        ({"kernel/apparmor_restrict_unprivileged_userns": "1"}, [APPARMOR]),
        ({"kernel/apparmor_restrict_unprivileged_userns": "0"}, []),
    ],
)
def test_the_kernels_settings_that_forbid_namespaces_are_named(
    says: dict[str, str], expected: list[str]
) -> None:
    assert list(sandbox.find_namespace_obstacles(says.get)) == expected


@pytest.mark.parametrize(
    ("chosen", "refusal", "obstacles", "status", "expected_text"),
    [
        (None, None, [], Status.OK, "on"),
        (True, None, [], Status.OK, "on"),
        (None, "root", [], Status.NOTE, "off automatically: root"),
        (True, "root", [], Status.FAILED, "--sandbox is impossible: root"),
        (False, "root", [], Status.NOTE, "off, by --no-sandbox"),
        (False, None, [], Status.NOTE, "off, by --no-sandbox"),
        (None, None, [APPARMOR], Status.NOTE, "on, but AppArmor may block it"),
        (None, None, [CLONE], Status.FAILED, "on, but the kernel forbids"),
        (True, None, [MOST, APPARMOR], Status.FAILED, "on, but the kernel forbids"),
    ],
)
def test_the_sandbox_check_uses_the_servers_own_decision(
    chosen: bool | None,
    refusal: str | None,
    obstacles: list[str],
    status: Status,
    expected_text: str,
) -> None:
    finding = sandbox.judge_sandbox(chosen, refusal, obstacles, ())
    assert finding.status is status
    assert finding.summary.startswith(expected_text)
    assert all(f"sysctl -w {each}=" in finding.fix for each in obstacles)


@pytest.mark.parametrize(
    ("name", "addresses"),
    [
        (":0", ["/tmp/.X11-unix/X0", "\0/tmp/.X11-unix/X0"]),
        ("unix:12.1", ["/tmp/.X11-unix/X12", "\0/tmp/.X11-unix/X12"]),
        ("localhost:10.0", [("localhost", 6010)]),
        ("screen.example:2", [("screen.example", 6002)]),
        ("nonsense", []),
    ],
)
def test_a_display_leads_to_where_its_server_listens(
    name: str, addresses: list[tuple[str, int] | str]
) -> None:
    assert local_machine.list_x_server_addresses(name) == addresses


def test_too_little_shared_memory_is_reported_with_advice(tmp_path: Path) -> None:
    finding = local_machine.check_shared_memory(Settings(), tmp_path / "none")
    assert finding.status is Status.NOTE
    assert "missing, so Chromium will run with --disable-dev-shm-usage" in finding.summary
    assert "docker run --shm-size=1g" in finding.fix


@pytest.mark.parametrize(
    ("free", "status", "expected_text"),
    [
        (99, Status.FAILED, "99 MB free in "),
        (1000, Status.NOTE, "1,000 MB free in "),
        (2000, Status.OK, "2,000 MB free in "),
    ],
)
def test_an_almost_full_disk_is_reported(
    monkeypatch: pytest.MonkeyPatch, free: int, status: Status, expected_text: str
) -> None:
    total = 10_000
    usage = SimpleNamespace(total=total << 20, used=(total - free) << 20, free=free << 20)
    monkeypatch.setattr(shutil, "disk_usage", lambda _path: usage)
    finding = check_disk_space(Settings())
    assert finding.status is status
    assert finding.summary.startswith(expected_text)
    assert finding.fix.startswith("Free space in ") is (status is not Status.OK)


@pytest.mark.parametrize(
    ("version", "numbers"),
    [("8.1", (8, 1)), ("0.22.0", (0, 22, 0)), ("15.0rc1", (15, 0)), ("unknown", ())],
)
def test_versions_are_compared_by_their_numbers(version: str, numbers: tuple[int, ...]) -> None:
    assert local_machine.parse_version(version) == numbers


def test_the_checked_packages_are_the_declared_dependencies() -> None:
    assert {*local_machine.read_required_package_versions()} == {
        "click",
        "msgspec",
        "orjson",
        "pillow",
        "uvicorn",
        "websockets",
    }


@pytest.mark.parametrize(
    ("environ", "expected_text"),
    [
        ({}, []),
        ({"http_proxy": ""}, []),
        ({"HTTPS_PROXY": "http://p.test:1"}, ["HTTPS_PROXY=http://p.test:1"]),
        ({"http_proxy": "http://me:hush@p.test:1"}, ["http_proxy=http://***@p.test:1"]),
        ({"all_proxy": "me:h@sh@p.test"}, ["all_proxy=***@p.test"]),
        ({"no_proxy": "localhost,.test"}, ["no_proxy=localhost,.test"]),
    ],
)
def test_proxies_of_the_environment_are_reported_without_credentials(
    environ: dict[str, str], expected_text: list[str]
) -> None:
    assert format_proxy_variables(environ) == expected_text


def test_the_write_check_removes_the_directories_that_it_creates(tmp_path: Path) -> None:
    try_writing(tmp_path / "one" / "two")
    assert list(tmp_path.iterdir()) == []


def test_a_directory_that_cannot_be_made_leaves_nothing_of_those_above(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="name too long"):
        try_writing(tmp_path / "one" / ("x" * 300))
    assert list(tmp_path.iterdir()) == []


def test_for_a_missing_path_the_nearest_existing_directory_is_checked(tmp_path: Path) -> None:
    assert find_existing_parent(tmp_path / "one" / "two") == tmp_path
