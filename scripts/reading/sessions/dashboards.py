"""Sessions on generated applications: a form with an upload, and a dashboard."""

from __future__ import annotations

from scripts.reading.steps import Session, click, open_page, read, type_text, upload, wait

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
        read(r"text\.txt|text"),
        click("combobox", "Language"),
        click("option", "Portuguese"),
        type_text("spinbutton", "number input for Longest words", "3"),
        click("checkbox", "Title"),
        click("checkbox", "Notes"),
        click("button", "Count words"),
        wait("extraordinarily"),
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
        " of this city, with high urgency, while this city is shown and the chart is hidden."
    ),
    steps=(
        open_page("/"),
        wait("Note for the report"),
        click("combobox", r"[^\"]*City[^\"]*"),
        click("option", "Lyon"),
        wait("10,818"),
        read("10,818"),
        click("combobox", r"[^\"]*City[^\"]*"),
        click("option", "Porto"),
        wait("7,566"),
        read("7,566"),
        click("combobox", r"[^\"]*City[^\"]*"),
        click("option", "Lyon"),
        click("checkbox", r"Totals only[^\"]*"),
        type_text("textbox", "Note for the report", "Lyon has 10,818", submit=False),
        click("radio", "high"),
        click("button", "Save note"),
        wait("Saved for Lyon"),
        read(r"Saved for Lyon: Lyon has 10,818 \(high\)"),
    ),
    proof="() => document.body.innerText",
    expected=r"Saved for Lyon: Lyon has 10,818 \(high\)",
)
