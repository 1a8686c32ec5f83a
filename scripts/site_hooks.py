"""Adapts the pages of docs to mkdocs, which `make site` runs.

GitHub shows the pages as they are. The site has no files outside docs. So links to them become
text, and CONTRIBUTING.md and CHANGELOG.md become pages.
"""

from __future__ import annotations

import posixpath
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.files import Files
    from mkdocs.structure.pages import Page

ROOT = Path(__file__).resolve().parent.parent
ADDED = {"contributing.md": "CONTRIBUTING.md", "changelog.md": "CHANGELOG.md"}

_LINK = re.compile(r"\[(?P<text>[^\]\n]+)\]\((?P<target>[^)\s:#]+)(?P<anchor>#[^)\s]*)?\)")
_MARKED_FENCE = re.compile(r"^(`{3,}\w+) notest$", re.MULTILINE)


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Add the decision records to the navigation."""
    records = sorted((ROOT / "docs" / "decisions").glob("0*.md"))
    for entry in config.nav or []:
        if "Decisions" in entry:
            entry["Decisions"] += [f"decisions/{path.name}" for path in records]
    return config


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the pages that are outside of docs."""
    from mkdocs.structure.files import File

    for name, source in ADDED.items():
        text = (ROOT / source).read_text(encoding="utf-8")
        files.append(File.generated(config, name, content=text.replace("](docs/", "](")))
    return files


def on_page_markdown(markdown: str, page: Page, files: Files, **_: Any) -> str:
    """Remove the marks of code blocks, and the links to files that the site does not have."""
    folder = posixpath.dirname(page.file.src_uri)

    def keep_link(found: re.Match[str]) -> str:
        path = posixpath.normpath(posixpath.join(folder, found["target"]))
        is_outside = files.get_file_from_path(path) is None and path.startswith("../")
        return found["text"] if is_outside else found[0]

    return _LINK.sub(keep_link, _MARKED_FENCE.sub(r"\1", markdown))
