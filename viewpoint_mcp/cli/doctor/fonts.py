"""Check of the fonts on Linux, where a minimal system has none."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from viewpoint_mcp.cli.doctor.finding import (
    Finding,
    failed_finding,
    note_finding,
    ok_finding,
    skipped_finding,
)
from viewpoint_mcp.cli.doctor.subprocesses import read_command_output
from viewpoint_mcp.config.settings import Settings

_FC_LIST = ("fc-list", "--format", "%{family}|%{lang}\\n")
_SUFFIXES = {".ttf", ".otf", ".ttc", ".pfb", ".woff", ".woff2"}
_CJK = {"ja", "ko", "zh-cn", "zh-tw", "zh-hk", "zh-sg"}
_EMOJI = "und-zsye"  # BCP 47: no language, the script of emoji
_INSTALL = "sudo apt-get install fonts-liberation fonts-noto-cjk fonts-noto-color-emoji"


async def check_fonts(settings: Settings) -> Finding:
    """Check that fonts are installed, also for CJK text and emoji."""
    if settings.should_attach:
        return skipped_finding("the browser is already running")
    if not sys.platform.startswith("linux"):
        return skipped_finding("checked only on Linux")
    output = await read_command_output(*_FC_LIST)
    if output is not None:
        return judge_fonts(*parse_fc_list(output))
    return judge_fonts(
        *await asyncio.to_thread(
            lambda: analyze_font_files(_find_font_files(list_font_directories(os.environ)))
        )
    )


def judge_fonts(count: int, missing_groups: tuple[str, ...]) -> Finding:
    """Return the finding for the installed fonts.

    Args:
        count: Number of fonts.
        missing_groups: Groups of characters, such as emoji, that no font has.
    """
    if not count:
        return failed_finding("none: pages would show no text", fix=_INSTALL)
    total = f"{count} font{'' if count == 1 else 's'}"
    if not missing_groups:
        return ok_finding(total)
    groups = " and ".join(missing_groups)
    return note_finding(f"{total}, none for {groups}: screenshots show boxes instead", fix=_INSTALL)


def parse_fc_list(output: str) -> tuple[int, tuple[str, ...]]:
    """Parse the output of fc-list, which has a line `family|languages` for each font.

    Returns:
        The number of fonts, and the groups of characters that no font has.
    """
    lines = [line.rpartition("|") for line in output.splitlines() if line.strip()]
    languages = {each.lower() for _, _, language_list in lines for each in language_list.split("|")}
    has_emoji = _EMOJI in languages or any("emoji" in family.lower() for family, _, _ in lines)
    return len(lines), _list_missing_groups(has_cjk=bool(languages & _CJK), has_emoji=has_emoji)


def analyze_font_files(file_names: Iterable[str]) -> tuple[int, tuple[str, ...]]:
    """Return the same as `parse_fc_list`, derived from the names of font files."""
    names = [name.lower() for name in file_names]
    marks = ("cjk", "wqy", "ipa", "gothic", "mincho", "droidsansfallback", "unifont", "arphic")
    has_cjk = any(mark in name for name in names for mark in marks)
    return len(names), _list_missing_groups(
        has_cjk=has_cjk, has_emoji=any("emoji" in name for name in names)
    )


def _list_missing_groups(*, has_cjk: bool, has_emoji: bool) -> tuple[str, ...]:
    groups = {"CJK text": has_cjk, "emoji": has_emoji}
    return tuple(name for name, is_there in groups.items() if not is_there)


def list_font_directories(environ: Mapping[str, str]) -> list[Path]:
    """Return the default directories of fonts on Linux."""
    home = environ.get("HOME")
    user_directories = [Path(home, ".fonts"), Path(home, ".local/share/fonts")] if home else []
    return [Path("/usr/share/fonts"), Path("/usr/local/share/fonts"), *user_directories]


def _find_font_files(directories: Iterable[Path]) -> Iterator[str]:
    for directory in directories:
        for _, _, names in os.walk(directory):
            yield from (name for name in names if Path(name).suffix.lower() in _SUFFIXES)
