"""browser_drop: files and texts from outside of the browser."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.e2e.support.client import ServerClient
from tests.site import Site

ZONE = """<div role=region tabindex=0 aria-label=Upload style="height: 100px">Drop</div><ul id=out>
</ul><script>
document.ondragover = event => event.preventDefault();
document.ondrop = async event => { event.preventDefault();
  const { files } = event.dataTransfer, text = event.dataTransfer.getData('text/plain');
  for (const file of files) out.innerHTML += `<li>${file.name}: ${await file.text()}</li>`;
  if (text) out.innerHTML += `<li>${text}</li>` }</script>"""


@pytest.fixture
async def zone(server: ServerClient, site: Site) -> ServerClient:
    """Return a server with a page that accepts drops."""
    await server.call("browser_navigate", url=site.page(ZONE))
    return server


async def test_files_are_dropped(zone: ServerClient, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("alpha")
    (tmp_path / "b.txt").write_text("beta")
    reply = await zone.call("browser_drop", ref="[role=region]", paths=["a.txt", "b.txt"])
    assert reply.sections["Result"] == 'Dropped 2 files on region "Upload"'
    assert "a.txt: alpha" in reply.sections["Snapshot"]
    assert "b.txt: beta" in reply.sections["Snapshot"]


async def test_a_text_is_dropped(zone: ServerClient) -> None:
    reply = await zone.call(
        "browser_drop", target="[role=region]", element="upload", data={"text/plain": "hello"}
    )
    assert reply.sections["Result"] == 'Dropped text/plain on region "Upload"'
    assert "hello" in reply.sections["Snapshot"]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({}, "needs paths or data"),
        ({"paths": ["/etc/passwd"]}, "is outside the directories that the server may read from"),
        ({"paths": ["missing.txt"]}, "does not exist"),
    ],
)
async def test_a_file_that_is_not_allowed_is_refused(
    zone: ServerClient, arguments: dict[str, Any], words: str
) -> None:
    reply = await zone.call("browser_drop", ref="[role=region]", **arguments)
    assert reply.is_error
    assert words in reply.sections["Error"]


async def test_a_page_that_accepts_no_drop_is_an_error(
    server: ServerClient, site: Site, tmp_path: Path
) -> None:
    (tmp_path / "a.txt").write_text("alpha")
    await server.call("browser_navigate", url=site.page("<h1 tabindex=0>No zone</h1>"))
    reply = await server.call("browser_drop", ref="h1", paths=["a.txt"])
    assert reply.is_error
    assert "did not accept the drop" in reply.sections["Error"]
    assert "/page-" in reply.sections["Page"]
