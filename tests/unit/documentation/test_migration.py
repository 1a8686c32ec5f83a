"""docs/migration.md names each difference in flags and configuration keys."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from tests.code_blocks import ROOT
from viewpoint_mcp.cli.ignored_flags import IGNORED_KEYS
from viewpoint_mcp.cli.options import FLAGS
from viewpoint_mcp.config.flag_annotations import ConfigKey, list_declarations
from viewpoint_mcp.config.settings import Settings

PEER: dict[str, Any] = json.loads(Path(__file__).with_name("playwright_mcp.json").read_text())
PAGE = (ROOT / "docs" / "migration.md").read_text(encoding="utf-8")
SECTIONS = dict(re.findall(r"^## (.*?)\n(.*?)(?=^## |\Z)", PAGE, re.MULTILINE | re.DOTALL))


def names_in(text: str) -> set[str]:
    """Return the names in backticks."""
    return set(re.findall(r"`([^`\n]+)`", text))


def row_of(name: str, section: str) -> str:
    """Return the row of a table whose first cell has a name; "" without one."""
    rows = (row for row in section.splitlines() if row.startswith("|"))
    return next((row for row in rows if f"`{name}`" in row.split("|")[1]), "")


def test_the_flags_are_listed() -> None:
    hidden = {name for flag in FLAGS if flag.hidden for name in flag.opts}
    shown = {name for flag in FLAGS if not flag.hidden for name in flag.opts + flag.secondary_opts}
    section = SECTIONS["Flags"]
    ignored = re.search(r"a warning gives the reason:(.*?)\. What(.*?), which", section, re.DOTALL)
    added = re.search(r"Added flags:(.*?)\.\n", section, re.DOTALL)
    assert ignored
    assert added
    assert names_in(ignored[1] + ignored[2]) == hidden & set(PEER["flags"])
    assert names_in(added[1]) == shown - set(PEER["flags"])
    assert set(PEER["flags"]) <= hidden | shown


def test_the_keys_of_the_configuration_file_are_listed() -> None:
    keys = {
        key.path if isinstance(key, ConfigKey) else key
        for each in list_declarations(Settings)
        for key in each.flag.config_keys
    }
    section = SECTIONS["Keys of the configuration file"]
    ignored = set(IGNORED_KEYS) & set(PEER["keys"])
    assert {name for name in ignored if name in names_in(section)} == ignored
    for group in ("browser.launchOptions", "browser.contextOptions"):
        effective = {key.removeprefix(f"{group}.") for key in keys if key.startswith(f"{group}.")}
        row = next(row for row in section.splitlines() if row.startswith(f"| `{group}` "))
        assert names_in(row.split("|")[2]) == effective
