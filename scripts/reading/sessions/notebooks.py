"""Sessions on editors: a notebook, a code editor, and a wiki."""

from __future__ import annotations

from scripts.reading.steps import (
    Session,
    click,
    insert,
    open_page,
    press,
    read,
    type_text,
    wait,
)

JUPYTERLAB = Session(
    name="jupyterlab",
    application="jupyterlab_app",
    path="/lab",
    task=(
        "Run all cells of sales.ipynb. The last cell is wrong, it must count the rows of the"
        " region north: correct and run it. Add a cell with the total of the north, and save."
    ),
    steps=(
        open_page("/lab/tree/sales.ipynb"),
        wait("region"),
        read("nort'"),
        click("button", "No"),
        click("menuitem", "Run"),
        click("menuitem", "Run All Cells"),
        read(r"\b2834\b"),
        type_text(
            "textbox",
            "",
            "north = [row for row in rows if row['region'] == 'north']\nlen(north)",
            after="total = sum",
        ),
        press("Control+Enter"),
        read(r"\b20\b"),
        click("button", r"Insert a cell below \(B\)"),
        press("Enter"),
        insert("sum(int(row['amount']) for row in north)"),
        press("Control+Enter"),
        press("Control+s"),
        read(r"\b814\b"),
    ),
    proof="async () => JSON.stringify(await (await fetch('/api/contents/sales.ipynb')).json())",
    expected="for row in north",
)

MONACO = Session(
    name="monaco",
    application="static_pages",
    path="/editor.html",
    task=(
        "The code has a mistake in the name of a property: find it with Check, correct it, and"
        " check again. Export tea7, too, in a line at the end, and save."
    ),
    steps=(
        open_page("/editor.html"),
        click("button", "Check"),
        read("Line 64.*mins"),
        press("Tab"),
        press("Tab"),
        press("Control+h"),
        type_text("textbox", "Find", "mins"),
        read("1 of 1"),
        type_text("textbox", "Replace", "minutes"),
        click("button", r"Replace All[^\"]*"),
        press("Escape"),
        press("Control+End"),
        read(r"tea\.minutes"),
        insert("export {tea7};"),
        click("button", "Check"),
        read("No problems"),
        click("button", "Save"),
        read("Saved 67 lines"),
    ),
    proof="() => window.saved",
    expected=r"(?s)tea\.minutes.*export \{tea7\};",
)

TEXT_FIELD = "Type the text for this tiddler"
TIDDLYWIKI = Session(
    name="tiddlywiki",
    application="tiddlywiki_app",
    task=(
        "How many degrees does Oolong 7 need? Create a note 'Oolong tasting' with this temperature"
        " and the tag tasting. Then correct the note Assam 2: it brews for 5 minutes."
    ),
    steps=(
        open_page("/"),
        type_text("searchbox", "", "Oolong 7"),
        click("link", "Oolong 7", after="matches"),
        read("82 degrees"),
        click("button", "new tiddler"),
        type_text("textbox", "New Tiddler", "Oolong tasting", after="Draft of"),
        type_text("textbox", TEXT_FIELD, "It needs 82 degrees."),
        type_text("textbox", "tag name", "tasting"),
        click("button", "add", after="tag name"),
        click("button", "Confirm changes to this tiddler"),
        read("It needs 82 degrees"),
        click("link", "Assam 2"),
        read("72 degrees for 2 minutes"),
        click("button", "Edit this tiddler", before='heading "Assam 2"'),
        type_text("textbox", TEXT_FIELD, "Brew at 72 degrees for 5 minutes.", is_new=True),
        click("button", "Confirm changes to this tiddler", is_new=True),
        read("72 degrees for 5 minutes"),
    ),
    proof=(
        "async () => { const text = async (name) => (await (await fetch("
        "'/recipes/default/tiddlers/' + name)).text()); await new Promise((done) => setTimeout("
        "done, 3000)); return await text('Oolong%20tasting') + await text('Assam%202') }"
    ),
    expected="(?s)(tasting.*82 degrees|82 degrees.*tasting).*5 minutes",
)
