"""Commands of the shell: their output, their exit status, sessions and files."""

from __future__ import annotations

import json
from pathlib import Path

from tests.e2e.shell.conftest import Shell
from tests.e2e.support.processes import find_browser
from tests.site import Site

FORM = """<title>Tea</title><label>Name <input></label>
<button onclick="output.value = 'Hello ' + document.querySelector('input').value">Greet</button>
<button onclick="output.value = prompt('Which?')">Ask</button><output id=output></output>"""


def is_png(path: Path) -> bool:
    return path.read_bytes().startswith(b"\x89PNG")


def is_jpeg(path: Path) -> bool:
    return path.read_bytes().startswith(b"\xff\xd8")


async def test_a_command_prints_the_reply(shared_shell: Shell, site: Site) -> None:
    opened = (await shared_shell.run("open", site.page(FORM))).text
    assert "- Page Title: Tea" in opened
    assert 'textbox "Name"' in opened
    assert (await shared_shell.run("type", "input", "Anna")).text.startswith("### Result\n")
    clicked = (await shared_shell.run("click", 'button "Greet"')).text
    assert "Hello Anna" in clicked


async def test_a_failed_command_prints_the_reason_to_stderr(
    shared_shell: Shell, site: Site
) -> None:
    await shared_shell.run("open", site.page(FORM))
    failed = await shared_shell.run("click", 'button "Pay"')
    assert (failed.status, failed.stdout) == (1, "")
    assert failed.stderr.startswith("### Error\n")
    as_json = await shared_shell.run("click", 'button "Pay"', "--json")
    assert (as_json.status, as_json.stderr) == (1, "")
    assert json.loads(as_json.stdout)["error"]["code"] == "not_found"


async def test_a_wrong_command_line_has_status_2(shared_shell: Shell) -> None:
    assert await shared_shell.run("clik", "e1") == (
        2,
        "",
        "There is no command clik. Is click meant?\n",
    )
    assert (await shared_shell.run("sessions", "--all")).status == 2
    assert (await shared_shell.run("batch", "click")).status == 2


async def test_the_output_has_the_form_that_is_asked_for(shared_shell: Shell, site: Site) -> None:
    await shared_shell.run("open", site.page("<title>Tea</title>"))
    raw = await shared_shell.run("eval", "() => '### ' + document.title + '\\n ```'", "--raw")
    assert raw.text == "### Tea\n ```\n"
    long = await shared_shell.run("eval", "() => 'tea '.repeat(50_000)", "--raw")
    assert long.text == f"{'tea ' * 50_000}\n"
    data = json.loads((await shared_shell.run("console", "--json")).text)
    assert data["messages"] == []
    text = json.loads((await shared_shell.run("eval", "() => 5", "--json")).text)
    assert text == {"text": "### Result\n5"}
    saved = Path((await shared_shell.run("screenshot", "--file")).text.rstrip("\n"))
    assert is_png(saved)
    assert saved.parent.parent == shared_shell.workspace
    nothing = await shared_shell.run("tabs", "--file")
    assert (nothing.status, nothing.stdout) == (1, "")


async def test_an_image_that_a_shell_cannot_show_is_saved(shared_shell: Shell, site: Site) -> None:
    await shared_shell.run("open", site.page("<h1>Tea</h1>"))
    saved = (await shared_shell.run("screenshot", "--file")).text.rstrip("\n")
    cropped = await shared_shell.run("crop-screenshot", Path(saved).name, "0", "0", ".5", ".5")
    line = cropped.text.splitlines()[-1]
    assert is_jpeg(Path(line.removeprefix("Image saved to ")))


async def test_a_batch_reads_lines(shared_shell: Shell, site: Site) -> None:
    await shared_shell.run("open", site.page(FORM))
    script = "# greet\ntype input 'Anna B.'\nclick 'button \"Greet\"'\n"
    assert "Hello Anna B." in (await shared_shell.run("batch", stdin=script)).text
    wrong = await shared_shell.run("batch", stdin="type input Eve\nclik e1\n")
    assert wrong.status == 2
    assert "Line 2: There is no command clik." in wrong.stderr
    value = "() => document.querySelector('input').value"
    assert (await shared_shell.run("eval", value, "--raw")).text == "Anna B.\n"


async def test_a_dash_is_the_text_on_standard_input(shared_shell: Shell, site: Site) -> None:
    await shared_shell.run("open", site.page("<title>Tea</title>"))
    script = "() =>\n  document.title"
    assert (await shared_shell.run("eval", "-", "--raw", stdin=script)).text == "Tea\n"


async def test_an_open_dialog_is_answered_by_the_next_command(
    shared_shell: Shell, site: Site
) -> None:
    await shared_shell.run("open", site.page(FORM))
    assert "Which?" in (await shared_shell.run("click", 'button "Ask"')).text
    assert "Sencha" in (await shared_shell.run("dialog-accept", "Sencha")).text


async def test_sessions_share_a_browser_and_see_nothing_of_each_other(
    shared_shell: Shell, site: Site
) -> None:
    url = site.page("<title>Tea</title>")
    for name in ("a", "b"):
        await shared_shell.run("-s", name, "open", url)
    await shared_shell.run("-s", "a", "localstorage-set", "tea", "Sencha")
    read = ("eval", "() => localStorage.tea ?? 'none'", "--raw")
    assert (await shared_shell.run("-s", "a", *read)).text == "Sencha\n"
    assert (await shared_shell.run(*read, env={"VIEWPOINT_SESSION": "b"})).text == "none\n"
    (server,) = shared_shell.find_servers()
    assert find_browser(server)
    assert (await shared_shell.run("close", "-s", "b")).text.startswith("Closed b of ")
    listed = (await shared_shell.run("sessions")).text
    assert "\n  a: last command" in listed
    assert "\n  b:" not in listed
    assert (await shared_shell.run("-s", "a", *read)).text == "Sencha\n"
    assert "is not open here" in (await shared_shell.run("close", "-s", "b")).text


async def test_files_are_relative_to_the_directory_of_the_command(
    shared_shell: Shell, site: Site, tmp_path: Path
) -> None:
    (shared_shell.workspace / ".git").mkdir(exist_ok=True)
    inner = shared_shell.workspace / "src"
    inner.mkdir()
    await shared_shell.run("open", site.page("<h1>Tea</h1>"), cwd=inner)
    saved = await shared_shell.run("screenshot", "--filename", "a.png", "--file", cwd=inner)
    assert saved.text == f"{inner / 'a.png'}\n"
    assert (inner / "a.png").exists()
    outside = {"VIEWPOINT_WORKSPACE": str(shared_shell.workspace)}
    refused = await shared_shell.run("screenshot", "--filename", "b.png", cwd=tmp_path, env=outside)
    assert refused.status == 1
    assert str(tmp_path / "b.png") in refused.stderr


async def test_help_needs_no_server(shell: Shell) -> None:
    overview = (await shell.run()).text
    assert "  click REF" in overview
    assert (await shell.run("--help")).text == overview
    assert (await shell.run("help")).text == overview
    click = (await shell.run("click", "--help")).text
    assert click.startswith("Usage: viewpoint click REF [FLAGS]\n")
    assert "--double-click" in click
    assert (await shell.run("help", "click")).text == click
    assert "--headed" in (await shell.run("start", "--help")).text
    assert (await shell.run("help", "clik")).status == 2
    assert await shell.run("-s") == (2, "", "-s needs the name of a session.\n")
    assert (await shell.run("--version")).text.startswith("viewpoint ")
    assert (await shell.run("close")).text == "No session is open here.\n"
    assert (await shell.run("sessions")).text == "No session is open.\n"
    assert shell.find_servers() == {}
