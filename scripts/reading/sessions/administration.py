"""Sessions on sites for administration: forms, lists with filters, and tables."""

from __future__ import annotations

from scripts.reading.steps import (
    Session,
    click,
    fill,
    open_page,
    read,
    select,
    type_text,
    wait,
    wait_gone,
)

DJANGO = Session(
    name="django-admin",
    application="django_admin",
    path="/admin/",
    task=(
        "Log in as admin with the password secret-tea. Mark all unpaid orders of Alan Turing as"
        " paid. Write the note 'Paid by bank transfer' into his most expensive one of them, and"
        " change his e-mail address to turing@example.com."
    ),
    steps=(
        open_page("/admin/"),
        fill(("textbox", "Username:", "admin"), ("textbox", "Password:", "secret-tea")),
        click("button", "Log in", leaves=True),
        click("link", "Orders", leaves=True),
        click("link", "Alan Turing", after="By customer|customer", leaves=True),
        click("link", "Unpaid", after="By state|state", plain_name="Unpaid", leaves=True),
        read(r"(?s)1081.{0,400}Unpaid.{0,200}502", "6 orders|6 results"),
        click("checkbox", "Select all objects on this page for an action"),
        select("combobox", "Action:", "Mark selected orders as paid"),
        click("button", "Run|Go", leaves=True),
        read("6 orders were marked as paid"),
        click("link", "Paid", after="By state", leaves=True),
        click("link", "1081", leaves=True),
        type_text("textbox", "Note:", "Paid by bank transfer"),
        click("button", "Save", leaves=True),
        read("changed successfully"),
        click("link", "Customers", leaves=True),
        click("link", "Alan Turing", leaves=True),
        type_text("textbox", "Email:", "turing@example.com"),
        click("button", "Save", leaves=True),
        read("turing@example.com"),
    ),
    proof=(
        "async () => { const shop = async (path) => (await fetch('/admin/shop/' + path)).text();"
        " const unpaid = await shop('order/?customer__id__exact=2&state__exact=unpaid');"
        " const order = await shop('order/82/change/'), person = await shop('customer/2/change/');"
        " return [!unpaid.includes('Select this object'), order.includes('Paid by bank transfer'),"
        " person.includes('turing@example')].join() }"
    ),
    expected="true,true,true",
)

FACETS = 'paragraph "Suggested facets"'
DATASETTE = Session(
    name="datasette",
    application="datasette_app",
    task=(
        "How many maritime museums of Porto opened after 2000, and which of all museums had the"
        " most visitors in 2025? Find its year of opening."
    ),
    steps=(
        open_page("/"),
        click("link", "museums", after="heading", leaves=True),
        click(
            "link",
            "museums",
            after="museums.db|visits|[Tt]ables|heading",
            plain_name="museums",
            leaves=True,
        ),
        click("link", "city", after="Suggested facets", leaves=True),
        read("Porto"),
        click("link", "Porto", leaves=True),
        click("link", "kind", after="Suggested facets", inside=FACETS, leaves=True),
        click("link", "maritime", leaves=True),
        click("link", "opened", after="View and edit SQL", plain_name="opened", leaves=True),
        read("10 rows", "Porto maritime museum"),
        open_page("/museums/visits"),
        click("link", "year", after="Suggested facets", inside=FACETS, leaves=True),
        click("link", "2025", leaves=True),
        click("link", "visitors", after="View and edit SQL", plain_name="visitors", leaves=True),
        click("link", "visitors.▼", leaves=True),
        read("Bergen art museum 125"),
        click("link", "Bergen art museum 125", leaves=True),
        read("1975"),
    ),
    proof="() => location.pathname",
    expected="/museums/museums/125",
)

GRID = Session(
    name="ag-grid",
    application="static_pages",
    path="/grid.html",
    task=(
        "In the stock table, set the amount of all Matcha of Ghent with an amount of less than 30"
        " to 100, and save. Then find the cheapest Keemun."
    ),
    steps=(
        open_page("/grid.html"),
        type_text("textbox", "Tea Filter Input", "Matcha"),
        type_text("textbox", "Place Filter Input", "Ghent"),
        wait_gone("Graz"),
        read(r"(?s)5181.{0,300}\b1\b", r"(?s)5205.{0,300}\b25\b"),
        click("gridcell", "1", after="5181", double=True),
        type_text("spinbutton|textbox", "Input Editor", "100", submit=True, is_new=True),
        click("gridcell", "25", after="5205", double=True),
        type_text("spinbutton|textbox", "Input Editor", "100", submit=True, is_new=True),
        click("button", "Save changes"),
        read("Saved 2 changes"),
        type_text("textbox", "Tea Filter Input", "Keemun"),
        type_text("textbox", "Place Filter Input", ""),
        wait("Keemun"),
        click("generic|columnheader", "Price"),
        read('(?s)5119.{0,700}"3"'),
    ),
    proof="() => JSON.stringify(window.saved)",
    expected="5181.amount.{1,4}100.*5205.amount.{1,4}100",
)
