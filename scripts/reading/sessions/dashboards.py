"""Sessions on generated applications: a form with an upload, and a dashboard."""

from __future__ import annotations

from scripts.reading.steps import (
    Session,
    click,
    insert,
    open_page,
    press,
    read,
    type_text,
    upload,
    wait,
)

TEXT = "The kettle sings and the teahouse opens its extraordinarily comfortable garden"

GRADIO = Session(
    name="gradio",
    application="gradio_app",
    task=(
        "Upload text.txt, choose Portuguese, the three longest words, and the parts Title and"
        " Notes. Which word is the longest? Then switch to the dark theme in Settings."
    ),
    files={"text.txt": TEXT},
    steps=(
        open_page("/"),
        upload("button", "Click to upload or drop files", "text.txt"),
        click("combobox", "Language"),
        press("Control+a"),
        insert("Portuguese"),
        press("Enter"),
        type_text("spinbutton", "number input for Longest words", "3"),
        click("checkbox", "Title"),
        click("checkbox", "Notes"),
        click("button", "Count words"),
        read("11 words in Portuguese, parts: Title, Notes", "extraordinarily"),
        click("tab", "Settings"),
        click("radio", "Dark"),
        read("Dark"),
    ),
    proof="() => document.querySelector('input[type=radio][value=Dark]').checked",
    expected="true",
)

STREAMLIT = Session(
    name="streamlit",
    application="streamlit_app",
    task=(
        "Which of Lyon and Porto has more visits in total? Save a note with the name and the total"
        " of this city, while this city is shown."
    ),
    steps=(
        open_page("/"),
        wait("Note"),
        click("combobox", r"[^\"]*City[^\"]*"),
        press("Control+a"),
        insert("Lyon"),
        press("Enter"),
        read("10,818"),
        click("combobox", r"[^\"]*City[^\"]*"),
        press("Control+a"),
        insert("Porto"),
        press("Enter"),
        read("7,566"),
        click("combobox", r"[^\"]*City[^\"]*"),
        press("Control+a"),
        insert("Lyon"),
        press("Enter"),
        type_text("textbox", "Note for the report", "Lyon has 10,818", submit=False),
        click("button|paragraph", "Save note"),
        read(r"Saved for Lyon: Lyon has 10,818 \(low\)"),
    ),
    proof="() => document.body.innerText",
    expected=r"Saved for Lyon: Lyon has 10,818 \(low\)",
)
