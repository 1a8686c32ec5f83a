"""The site of docs: its navigation, and what its hooks change in the pages."""

from __future__ import annotations

import re
from types import SimpleNamespace
from typing import Any

from scripts import site_hooks
from tests.code_blocks import ROOT

CONFIG = (ROOT / "mkdocs.yml").read_text(encoding="utf-8")


def adapt(markdown: str, source: str = "reading.md") -> str:
    """Return a page of the site, which has no page but tools.md."""
    page: Any = SimpleNamespace(file=SimpleNamespace(src_uri=source))
    files: Any = SimpleNamespace(get_file_from_path={"tools.md": "page"}.get)
    return site_hooks.on_page_markdown(markdown, page, files)


def test_each_page_is_in_the_navigation() -> None:
    pages = {path.name for path in (ROOT / "docs").glob("*.md")}
    listed = re.findall(r"^ +- (?:\w+: )?(\S+\.md)$", CONFIG, re.MULTILINE)
    assert sorted(listed) == sorted([*pages, *site_hooks.ADDED, "decisions/README.md"])


def test_each_record_is_in_the_navigation() -> None:
    config: Any = SimpleNamespace(nav=[{"Decisions": ["decisions/README.md"]}])
    [entry] = site_hooks.on_config(config).nav
    assert len(entry["Decisions"]) == 1 + len([*(ROOT / "docs" / "decisions").glob("0*.md")])


def test_links_that_leave_the_site_become_text() -> None:
    assert adapt("[the script](../scripts/demo.py)") == "the script"
    assert adapt("[tools](../tools.md#browser_click)", "decisions/0001.md").startswith("[tools](")
    assert adapt("[there](https://example.org/a.md)") == "[there](https://example.org/a.md)"


def test_marks_of_code_blocks_are_removed() -> None:
    assert adapt("```sh notest\nls\n```\n") == "```sh\nls\n```\n"
