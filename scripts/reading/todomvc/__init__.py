"""One task on each application of the package `todomvc` that has all its files."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from scripts import npm
from scripts.reading.steps import (
    Session,
    Step,
    click,
    hover,
    insert,
    open_page,
    press,
    read,
    think,
    type_text,
)

HERE = Path(__file__).resolve().parent
FOLDERS = ("", "public", "www", "web")  # where an application has its page
SCRIPT = re.compile(
    r"""<script[^>]*\ssrc=["']?([^"'\s>]+)|<link[^>]*\brel=.import[^>]*href="([^"]+)"""
)
NEW = "What needs to be done.*"
TASK = (
    "Add Buy tea, Call Ada and Pay rent. Rename Call Ada to Call Bob. Complete Buy tea, look at the"
    " Active and the Completed items, and clear the completed ones. Complete all and undo that."
    " Delete Pay rent, and check that Call Bob is there after a reload."
)


def build_sessions() -> list[Session]:
    """Return a session for each application that lacks no script, in alphabetical order."""
    return [
        Session(
            name=name,
            application="todomvc_app",
            task=TASK,
            steps=build_steps(path),
            proof="() => document.body.innerText",
            expected=r"(?s)\A(?!.*(?:Buy tea|Pay rent)).*Call Bob",
            path=path,
        )
        for name, (path, missing) in find_applications().items()
        if not missing
    ]


def build_steps(path: str) -> list[Step]:
    """Return the steps of the task: add, count, edit, complete, filter, clear, toggle all, delete,
    and reload.
    """
    adds = [
        type_text("textbox|combobox|searchbox", NEW, text, submit=True, plain_name=NEW[:-2] + "?")
        for text in ("Buy tea", "Call Ada", "Pay rent")
    ]
    toggle_all = click("checkbox", "Mark all as complete|toggle.all|", after=NEW)
    return [
        open_page(path),
        *adds,
        read(count_pattern(3)),
        click("listitem|generic|LabelText|StaticText", "Call Ada", double=True),
        press("Control+a"),
        insert("Call Bob"),
        press("Enter"),
        click("checkbox", "", before="Buy tea", inside='listitem "Buy tea"'),
        read(count_pattern(2), "Call Bob"),
        think(),
        click("link", "Active"),
        read("Call Bob"),
        click("link", "Completed"),
        read("Buy tea"),
        click("link", "All"),
        click("button", "Clear completed.*"),
        read(count_pattern(2)),
        toggle_all,
        read(count_pattern(0)),
        toggle_all,
        read(count_pattern(2)),
        hover("listitem|generic|LabelText|StaticText", "Pay rent"),
        click("button", "[✖×✕x]|destroy|", after="Pay rent", inside='listitem "Pay rent"'),
        read(count_pattern(1)),
        think(),
        open_page(path),
        read("Call Bob"),
    ]


def count_pattern(count: int) -> str:
    """Return a pattern for the number of items; snapshots print it on one line or on several."""
    return rf"(?s)\b{count}\b.{{0,120}}? left"


def find_applications() -> dict[str, tuple[str, list[str]]]:
    """Return the path of each application by its name, and the scripts that it lacks."""
    npm.install(HERE)
    examples = npm.modules(HERE) / "todomvc" / "examples"
    found = {}
    for directory in sorted(examples.iterdir()):
        pages = [directory / folder / "index.html" for folder in FOLDERS]
        page = next(filter(Path.is_file, pages), None)
        if page is None:
            found[directory.name] = ("", ["index.html"])
        else:
            path = f"/{page.parent.relative_to(examples)}/"
            found[directory.name] = (path, list(find_missing(page, examples)))
    return found


def find_missing(page: Path, examples: Path) -> Iterator[str]:
    """Yield the scripts of a page that are on the network, or not in the package."""
    for groups in SCRIPT.findall(page.read_text(encoding="utf-8")):
        url = "".join(groups)
        folder = examples.parent if url.startswith("/") else page.parent
        if "//" in url or not (folder / url.lstrip("/").partition("?")[0]).is_file():
            yield url
