"""`viewpoint show`: the live view of a session of the shell."""

from __future__ import annotations

from pathlib import Path

from tests.e2e.conftest import OpenHere
from tests.e2e.handoff.viewer import Viewer
from tests.e2e.shell.conftest import Shell
from tests.site import Site


async def test_show_prints_the_url_of_a_view_that_hands_input_through(
    shell: Shell, open_here: OpenHere, site: Site, tmp_path: Path
) -> None:
    url = site.page(
        "<title>Ask</title><style>button { position: fixed; inset: 0; width: 100% }</style>"
        "<button onclick='document.title = \"Answered\"'>Answer</button>"
    )
    (await shell.run("open", url)).text  # noqa: B018
    printed = (await shell.run("show", "--raw")).text
    assert printed.startswith("http://127.0.0.1:")
    assert (await shell.run("show")).text == f"### Result\n{printed}"
    async with open_here("--caps=vision", cwd=tmp_path) as person:
        await person.initialize()
        viewer = Viewer(person)
        await viewer.open(printed.strip())
        await viewer.wait_for_picture()
        await viewer.take_control()
        await viewer.click_picture(0.5, 0.5)
        await viewer.wait("document.querySelector('#tabs').innerText === '● Answered'")
        other = (await shell.run("-s", "other", "show", "--raw")).text
        assert other.partition("#")[0] == printed.partition("#")[0]
        assert other != printed
        (await shell.run("show", "--close")).text  # noqa: B018
        await viewer.wait("document.querySelector('#status').innerText.includes('is closed')")
