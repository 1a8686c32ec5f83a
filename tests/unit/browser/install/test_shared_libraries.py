"""The packages that contain a browser's missing libraries."""

from __future__ import annotations

from pathlib import Path

import pytest

from viewpoint_mcp.browser.install.shared_libraries import (
    advise_library_installation,
    find_missing_libraries,
    parse_ldd_output,
)

LDD = """
\tlinux-vdso.so.1 (0x00007ffd)
\tlibnss3.so => not found
\tlibc.so.6 => /lib/x86_64-linux-gnu/libc.so.6 (0x00007f)
\tlibasound.so.2 => not found
"""
BOTH = ["libnss3.so", "libasound.so.2"]


def test_all_libraries_that_ldd_does_not_find_are_read() -> None:
    assert parse_ldd_output(LDD) == BOTH


def test_the_loaders_message_names_the_first_library_if_ldd_fails(tmp_path: Path) -> None:
    script = tmp_path / "chrome"
    script.write_text("#!/bin/sh\n")
    expected = f"{script}: error while loading shared libraries: libgbm.so.1: cannot open"
    assert find_missing_libraries(script, expected) == ["libgbm.so.1"]
    assert find_missing_libraries(script, "Missing X server") == []


@pytest.mark.parametrize(
    ("os_release", "command"),
    [
        ("ID=debian\nVERSION_ID=12", "sudo apt-get install -y libnss3 libasound2"),
        ('ID=debian\nVERSION_ID="13"', "sudo apt-get install -y libnss3 libasound2t64"),
        ('ID=ubuntu\nVERSION_ID="22.04"', "sudo apt-get install -y libnss3 libasound2"),
        ('ID=ubuntu\nVERSION_ID="24.04"', "sudo apt-get install -y libnss3 libasound2t64"),
        ("ID=linuxmint\nID_LIKE=ubuntu", "sudo apt-get install -y libnss3 libasound2"),
        ("ID=fedora\nVERSION_ID=41", "sudo dnf install -y nss alsa-lib"),
        ('ID=rocky\nID_LIKE="rhel centos fedora"', "sudo dnf install -y nss alsa-lib"),
    ],
)
def test_the_command_is_that_of_the_distribution(os_release: str, command: str) -> None:
    result = advise_library_installation(BOTH, os_release)
    assert result == f"The libraries libnss3.so, libasound.so.2 are missing: {command}"


def test_an_unknown_distribution_gets_both_commands() -> None:
    result = advise_library_installation(BOTH, "ID=void")
    assert "sudo apt-get install -y libnss3 libasound2;" in result
    assert result.endswith("sudo dnf install -y nss alsa-lib")


def test_an_unknown_library_is_named_without_a_package() -> None:
    assert "The library libodd.so.3 is missing: install what" in advise_library_installation(
        ["libodd.so.3"], ""
    )
