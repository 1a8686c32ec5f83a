"""Names that servers and pages suggest, as they are written to disk."""

from __future__ import annotations

import pytest

from viewpoint_mcp.files.file_names import add_number, is_device_name, make_safe_name


@pytest.mark.parametrize(
    ("suggested", "name"),
    [
        ("data.txt", "data.txt"),
        ("Grüße \U0001f600.txt", "Grüße \U0001f600.txt"),
        ("../../etc/passwd", "passwd"),
        (r"..\..\boot.ini", "boot.ini"),
        ("/etc/passwd", "passwd"),
        ("..", "download"),
        ("", "download"),
        (" . ", "download"),
        (".bashrc", "bashrc"),
        ("a.txt. ", "a.txt"),
        ("a\nb\x00c.txt", "abc.txt"),
        ("invoice\u202etxt.exe", "invoicetxt.exe"),
        ('a<b>:"|?*.txt', "a_b______.txt"),
        ("con", "_con"),
        ("NUL.txt", "_NUL.txt"),
        ("console.txt", "console.txt"),
        ("com\u00b9.txt", "_com\u00b9.txt"),
        ("CONOUT$", "_CONOUT$"),
        ("aux .txt", "_aux .txt"),
        ("a\ud800b.txt", "ab.txt"),
    ],
)
def test_a_name_contains_no_path_and_is_not_hidden(suggested: str, name: str) -> None:
    assert make_safe_name(suggested) == name


@pytest.mark.parametrize("suggested", ["a" * 400 + ".txt", "ü" * 300 + ".tar.gz", "a." + "b" * 400])
def test_a_long_name_is_cut_to_the_limit_of_file_systems(suggested: str) -> None:
    assert 190 <= len(make_safe_name(suggested).encode()) <= 200


def test_a_long_name_keeps_its_suffix() -> None:
    assert make_safe_name("a" * 400 + ".txt").endswith("a.txt")


@pytest.mark.parametrize(
    ("name", "number", "other"),
    [("a.txt", 1, "a.txt"), ("a.txt", 2, "a-2.txt"), ("a", 3, "a-3"), ("a.b.c", 2, "a.b-2.c")],
)
def test_the_number_stands_before_the_suffix(name: str, number: int, other: str) -> None:
    assert add_number(name, number) == other


@pytest.mark.parametrize(
    ("path", "platform", "expected"),
    [
        ("nul", "win32", True),
        ("pages/CON.yaml", "win32", True),
        (r"com1.d\pages.yaml", "win32", True),
        ("console/auxiliary.txt", "win32", False),
        ("pages/CON.yaml", "linux", False),
        ("nul", "darwin", False),
    ],
)
def test_names_of_devices_are_known_anywhere_in_a_path_of_windows(
    path: str, platform: str, expected: bool
) -> None:
    assert is_device_name(path, platform) is expected
