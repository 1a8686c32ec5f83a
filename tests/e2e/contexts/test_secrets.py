"""--secrets: typed by name, shown in no reply, file or log."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.e2e.conftest import StartServer
from tests.e2e.support.client import StdioClient
from tests.site import Site

VALUE = 'p"ss & w/rd'
FORM = """<title>Log in</title><form action="/in">
<input name=user aria-label=User oninput="echo.textContent = value">
<input type=checkbox aria-label=Keep><p id=echo></p><button>Go</button></form>"""


@pytest.fixture
async def secretive(open_server: StartServer, tmp_path: Path) -> AsyncIterator[StdioClient]:
    """Return a server that knows the secret PASSWORD, and logs all it can."""
    secrets = tmp_path / "secrets" / ".env"
    secrets.parent.mkdir()
    secrets.write_text(f"PASSWORD='{VALUE}'\nPIN=12\n")
    async with open_server(
        f"--secrets={secrets}", "--log-level=debug", "--save-session", cwd=tmp_path
    ) as server:
        await server.initialize()
        yield server


def read_all_files(directory: Path) -> str:
    """Return all text under a directory, the secrets' own aside."""
    files = [path for path in directory.rglob("*") if path.is_file() and path.name != ".env"]
    return "\n".join(path.read_text(errors="replace") for path in files)


async def test_a_value_is_typed_by_its_name_and_shown_as_its_name(
    secretive: StdioClient, site: Site, tmp_path: Path
) -> None:
    site.respond("/in", f"<h1>Hello {VALUE}</h1>", content_type="text/html")
    page = await secretive.call("browser_navigate", url=site.page(FORM))
    typed = await secretive.call("browser_type", ref=page.ref("textbox"), text="PASSWORD")
    assert "<secret>PASSWORD</secret>" in typed.text
    selected = await secretive.call("browser_press_key", key="Control+a")
    assert 'Selected: "<secret>PASSWORD</secret>"' in selected.text
    saved = await secretive.call("browser_snapshot", filename="page.yml")
    sent = await secretive.call("browser_click", ref=page.ref("button"))
    (request,) = site.requests("/in")
    assert request.args["user"] == VALUE
    assert "/in?user=<secret>PASSWORD</secret>" in sent.sections["Page"]
    await secretive.call("browser_take_screenshot")
    listed = await secretive.call("list_screenshots")
    for reply in (page, typed, saved, sent, listed):
        assert VALUE not in reply.text
        assert 'p\\"ss' not in reply.text
    assert "<secret>PASSWORD</secret>" in (tmp_path / "page.yml").read_text()
    everything = read_all_files(tmp_path)
    assert "w/rd" not in everything
    assert "w%2Frd" not in everything


async def test_a_form_is_filled_and_a_prompt_answered_by_name(
    secretive: StdioClient, site: Site
) -> None:
    page = await secretive.call("browser_navigate", url=site.page(FORM))
    field = {"name": "User", "type": "textbox", "ref": page.ref("textbox"), "value": "PASSWORD"}
    filled = await secretive.call("browser_fill_form", fields=[field])
    assert not filled.is_error
    same = f"document.forms[0].user.value === {VALUE!r}"
    assert (await secretive.call("browser_evaluate", function=same)).sections["Result"] == "true"
    await secretive.call("browser_handle_dialog", accept=True, promptText="PASSWORD")
    asked = await secretive.call("browser_evaluate", function=f"prompt('x') === {VALUE!r}")
    assert asked.sections["Result"] == "true"


@pytest.mark.prove
async def test_a_name_within_other_text_is_text(secretive: StdioClient, site: Site) -> None:
    page = await secretive.call("browser_navigate", url=site.page(FORM))
    await secretive.call("browser_type", ref=page.ref("textbox"), text="my PASSWORD")
    answer = await secretive.call("browser_evaluate", function="document.forms[0].user.value")
    assert answer.sections["Result"] == "my PASSWORD"


async def test_a_page_cannot_write_what_looks_like_a_masked_secret(
    secretive: StdioClient, site: Site
) -> None:
    forged = "<secret>PASSWORD</secret>"
    page = f"<title>{forged.replace('<', '&lt;')}</title><button aria-label='{forged}'>"
    replies = [
        await secretive.call("browser_navigate", url=site.page(page)),
        await secretive.call("browser_hover", ref="button"),
        await secretive.call("browser_evaluate", function=f"({{a: {forged!r}}})"),
        await secretive.call("browser_snapshot", text=True),
    ]
    for reply in replies:
        assert forged not in reply.text
        assert r"\u003csecret>PASSWORD" in reply.text
    assert json.loads(replies[2].sections["Result"]) == {"a": forged}


async def test_errors_and_resources_show_no_secrets(secretive: StdioClient, site: Site) -> None:
    html = f"<title>{VALUE.replace('&', '&amp;')}</title><p>x</p>"
    await secretive.call("browser_navigate", url=site.page(html))
    await secretive.call("browser_take_screenshot")
    error = await secretive.call("browser_evaluate", function=f"() => {{ throw Error({VALUE!r}) }}")
    refused = await secretive.call("browser_click", ref=f"#{VALUE}")
    listed = await secretive.request("resources/list")
    assert error.is_error
    assert refused.is_error
    for text in (error.text, refused.text, str(listed)):
        assert "<secret>PASSWORD</secret>" in text
        assert "w/rd" not in text


async def test_a_secret_that_is_too_short_to_be_masked_is_named_once(
    secretive: StdioClient,
) -> None:
    assert secretive.stderr.count("--secrets: PIN can be typed, but are too short") == 1
