"""browser_file_upload: answers the chooser that a click opened, or fills the page's file input."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from werkzeug import Request, Response

from tests.e2e.conftest import OpenHere, Show
from tests.e2e.support.client import Reply, ServerClient
from tests.site import Site

Write = Callable[[str], Path]
SHOW_FILES = "onchange=\"p.textContent = [...this.files].map(f => f.name).join(' and ')\""
CHOOSER = f"<button onclick=f.click()>A</button><input type=file id=f {SHOW_FILES} hidden multiple>"


@pytest.fixture
async def write(shared_server: ServerClient) -> Write:
    """Return `write(name)`: a file in the server's working directory."""
    directory = shared_server.cwd

    def write(name: str) -> Path:
        (directory / name).write_text("data")
        return directory / name

    return write


async def click(server: ServerClient, page: Reply) -> Reply:
    return await server.call("browser_click", ref=page.ref("button", "A"), within=10)


async def test_the_chooser_that_a_click_opened_is_answered(
    shared_server: ServerClient, show: Show, write: Write
) -> None:
    write("one.txt")
    path = write("two.txt")
    await click(shared_server, await show(f"{CHOOSER}<p id=p>"))
    reply = await shared_server.call("browser_file_upload", paths=["one.txt", str(path)])
    assert reply.sections["Result"] == 'Uploaded one.txt, two.txt to button "Choose Files"'
    assert "one.txt and two.txt" in reply.sections["Snapshot"]
    assert "Modal state" not in reply.sections


async def test_a_hidden_input_is_filled_with_no_chooser_open(
    shared_server: ServerClient, show: Show, write: Write
) -> None:
    write("one.txt")
    await show(f"{CHOOSER}<p id=p>")
    reply = await shared_server.call("browser_file_upload", paths=["one.txt"])
    assert "one.txt" in reply.sections["Snapshot"]


async def test_a_file_outside_the_allowed_directories_is_refused_and_they_are_named(
    shared_server: ServerClient, show: Show
) -> None:
    await click(shared_server, await show(CHOOSER))
    reply = await shared_server.call("browser_file_upload", paths=["/etc/hostname"])
    assert reply.is_error
    assert '"/etc/hostname" is outside the directories' in reply.sections["Error"]
    assert str(shared_server.cwd) in reply.sections["Error"]
    assert "File chooser" in reply.sections["Modal state"]
    await shared_server.call("browser_file_upload")


async def test_without_an_input_nothing_can_be_uploaded(
    shared_server: ServerClient, show: Show, write: Write
) -> None:
    write("one.txt")
    await show("<p>x</p>")
    reply = await shared_server.call("browser_file_upload", paths=["one.txt"])
    assert reply.is_error
    assert "the page has no file input" in reply.sections["Error"]


async def test_the_consequences_of_the_upload_are_in_its_reply(
    shared_server: ServerClient, show: Show, write: Write
) -> None:
    write("one.txt")
    await click(
        shared_server,
        await show(
            "<button onclick=f.click()>A</button>"
            "<input type=file id=f hidden onchange=\"alert('Got ' + this.files[0].name)\">"
        ),
    )
    reply = await shared_server.call("browser_file_upload", paths=["one.txt"])
    assert 'message "Got one.txt"' in reply.sections["Modal state"]


async def test_a_form_with_a_file_arrives_at_the_server(
    shared_server: ServerClient, show: Show, site: Site, write: Write
) -> None:
    write("one.txt")
    bodies: list[bytes] = []

    def take(request: Request) -> Response:
        bodies.append(request.get_data())
        return Response("<h1>Thanks</h1>", mimetype="text/html")

    site.handle("/submit", take)
    page = await show(
        "<form action=/submit method=post enctype=multipart/form-data>"
        "<input type=file name=file><button>A</button></form>"
    )
    await shared_server.call("browser_file_upload", paths=["one.txt"])
    reply = await click(shared_server, page)
    assert "Thanks" in reply.sections["Snapshot"]
    assert b'filename="one.txt"\r\nContent-Type: text/plain\r\n\r\ndata\r\n' in bodies[0]


async def test_a_directory_that_was_allowed_may_be_read(
    open_here: OpenHere, tmp_path: Path, site: Site
) -> None:
    work, more = tmp_path / "work", tmp_path / "more"
    for directory in (work, more):
        directory.mkdir()
    (more / "one.txt").write_text("data")
    async with open_here(f"--allow-dir={more}", cwd=work) as server:
        await server.call("browser_navigate", url=site.page(f"{CHOOSER}<p id=p>"))
        reply = await server.call("browser_file_upload", paths=[str(more / "one.txt")])
    assert "one.txt" in reply.sections["Snapshot"]
