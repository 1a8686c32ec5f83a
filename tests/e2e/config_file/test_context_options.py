"""The keys of `contextOptions` that only a configuration file has, and their effects on pages."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from typing import Any

import pytest

from tests.e2e.conftest import StartServer
from tests.e2e.support.client import ServerClient, StdioClient
from tests.site import Site

SCREEN = """({
  scale: devicePixelRatio, screen: [screen.width, screen.height], inner: [innerWidth, innerHeight],
  points: navigator.maxTouchPoints, touch: "ontouchstart" in window,
})"""
MEDIA = """["(prefers-reduced-motion: reduce)", "(forced-colors: active)",
  "(prefers-contrast: more)", "(prefers-color-scheme: dark)"]
  .map(each => matchMedia(each).matches)"""
OPTIONS = {
    "viewport": {"width": 700, "height": 500},
    "screen": {"width": 1600, "height": 900},
    "deviceScaleFactor": 1.5,
    "isMobile": True,
    "hasTouch": True,
    "reducedMotion": "reduce",
    "forcedColors": "active",
    "contrast": "more",
    "bypassCSP": True,
}


def config_flag(directory: Any, content: dict[str, Any]) -> str:
    """Write a configuration file, and return the flag that names it."""
    path = directory / "playwright-mcp.json"
    path.write_text(json.dumps(content))
    return f"--config={path}"


@pytest.fixture(scope="module")
async def configured(
    open_server: StartServer, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[StdioClient]:
    cwd = tmp_path_factory.mktemp("configured")
    flag = config_flag(cwd, {"browser": {"contextOptions": OPTIONS}})
    async with open_server(flag, cwd=cwd) as client:
        await client.initialize()
        yield client


async def value(server: ServerClient, script: str, **where: Any) -> Any:
    reply = await server.call("browser_evaluate", function=script, **where)
    assert not reply.is_error, reply.text
    return json.loads(reply.sections["Result"])


@pytest.mark.parametrize("context", ["default", "named"])
async def test_the_keys_reach_pages_of_all_contexts(
    configured: StdioClient, site: Site, context: str
) -> None:
    if context == "named":
        await configured.call("browser_context_create", name=context)
    url = site.page("<p>Wide layout without a viewport tag</p>")
    assert not (await configured.call("browser_navigate", url=url, context=context)).is_error
    screen = await value(configured, SCREEN, context=context)
    assert screen == {
        "scale": 1.5,
        "screen": [1600, 900],
        "inner": [980, 700],  # a phone lays out a page without a viewport tag 980 pixels wide
        "points": 5,
        "touch": True,
    }
    assert await value(configured, MEDIA, context=context) == [True, True, True, False]


async def test_a_reset_of_a_media_feature_restores_that_of_the_file(
    configured: StdioClient, site: Site
) -> None:
    await configured.call("browser_navigate", url=site.page("<p>Hi</p>"))
    await configured.call("browser_emulate_media", reducedMotion="no-preference", contrast="less")
    assert await value(configured, MEDIA) == [False, True, False, False]
    await configured.call("browser_emulate_media", reducedMotion=None, contrast=None)
    assert await value(configured, MEDIA) == [True, True, True, False]


async def test_a_page_ignores_its_content_security_policy(
    configured: StdioClient, site: Site
) -> None:
    policy = {"Content-Security-Policy": "default-src 'none'"}
    url = site.page("<script>document.title = 'ran'</script><p>Hi", headers=policy)
    reply = await configured.call("browser_navigate", url=url)
    assert "- Page Title: ran" in reply.text


async def test_pages_without_javascript_can_be_read_and_used(
    open_server: StartServer, tmp_path: Any, site: Site
) -> None:
    flag = config_flag(tmp_path, {"browser": {"contextOptions": {"javaScriptEnabled": False}}})
    answer = site.page("<h1>Thanks</h1>", path="/answer")
    html = (
        "<title>Form</title><script>document.title = 'ran'</script><noscript>Plain page</noscript>"
        f"<form action='{answer}'><input name=q aria-label=Query><button>Send</button></form>"
        "<iframe srcdoc='<input type=checkbox aria-label=Framed>'></iframe>"
        "<button style='position:absolute;top:3000px'>Low</button>"
    )
    async with open_server(flag, cwd=tmp_path) as server:
        shown = await server.call("browser_navigate", url=site.page(html))
        assert "- Page Title: Form" in shown.text
        assert "- text: Plain page" in shown.text
        for name in ("checkbox', { name: 'Framed", "button', { name: 'Low"):
            clicked = await server.call("browser_click", target=f"getByRole('{name}' }})")
            assert not clicked.is_error, clicked.text
        missing = await server.call("browser_wait_for", text="Nowhere", time=0.5)
        assert '"Nowhere" is not on the page after 0.5 s.' in missing.text
        typed = await server.call("browser_type", target="getByLabel('Query')", text="a b")
        assert ": a b" in typed.text
        assert await value(server, "[document.title]") == ["Form"]
        sent = await server.call("browser_click", target="getByText('Send')")
    assert "/answer?q=a+b" in sent.text
    assert 'heading "Thanks"' in sent.text
