"""A session on a rich text editor, Draftail in Wagtail."""

from __future__ import annotations

from scripts.reading.steps import (
    Session,
    click,
    fill,
    open_page,
    press,
    read,
    select_text,
    type_text,
)

EDITOR = ("textbox|combobox", '[^"]*Body[^"]*|')
WAGTAIL = Session(
    name="wagtail",
    application="wagtail_app",
    path="/admin/login/",
    task=(
        "Log in as admin with the password secret-tea. In the body of the page Spring teas, make"
        " 'first flush' bold, make a bulleted list of Castleton and Margaret's Hope, and make"
        " 'harvest' an external link to https://tea.example/harvest. Publish the page, and check"
        " what /spring-teas/ shows."
    ),
    steps=(
        open_page("/admin/"),
        fill(("textbox", r"Username\*?", "admin"), ("textbox", r"Password\*?", "secret-tea")),
        click("button", "Sign in|", after="Forgotten", plain_name="Sign in", leaves=True),
        click("link", '[^"]*Pages created[^"]*', leaves=True),
        click("link", "Spring teas", leaves=True),
        select_text(*EDITOR, "first flush", after="Body"),
        press("Control+b"),
        select_text(*EDITOR, "Castleton", after="Body"),
        click("button", 'Bulleted list[^"]*'),
        select_text(*EDITOR, "Margaret's Hope", after="Body"),
        click("button", 'Bulleted list[^"]*'),
        select_text(*EDITOR, "harvest", after="Body"),
        press("Control+k"),
        click("link", "External link"),
        type_text("textbox", r"URL\*?", "https://tea.example/harvest"),
        click("button", "Insert link"),
        read("harvest"),
        click("button", "More actions"),
        click("button", "Publish", leaves=True),
        read("has been published"),
        open_page("/spring-teas/"),
        read("harvest"),
    ),
    proof="async () => (await fetch('/spring-teas/')).text()",
    expected=(
        r"(?s)<b>first flush</b>.*https://tea.example/harvest.{1,3}harvest</a>"
        r".*<ul>\s*<li[^>]*>Castleton</li>\s*<li[^>]*>Margaret"
    ),
)
