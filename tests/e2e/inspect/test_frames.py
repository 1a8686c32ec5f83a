"""Frames and shadow roots, as an agent meets them."""

from __future__ import annotations

import time

import pytest

from tests.e2e.conftest import Show
from tests.e2e.support.client import ServerClient
from tests.e2e.support.processes import wait_until
from tests.site import Site

HIT = "<button onclick=\"this.textContent = 'HIT'\">Pay</button>"


def elsewhere(site: Site, html: str) -> str:
    """The address of a page of another site, and so of another process."""
    return site.page(html).replace("127.0.0.1", "localhost")


async def test_a_button_in_a_closed_root_in_a_frame_of_another_site_is_clicked(
    shared_server: ServerClient, show: Show, site: Site
) -> None:
    inner = elsewhere(
        site, f"<x-pay><template shadowrootmode=closed><p>{HIT}</p></template></x-pay>"
    )
    page = await show(f"<h1>Shop</h1><iframe src={inner} title=Payment></iframe>")
    ref = page.ref("button", "Pay")
    assert ref.startswith("f")
    reply = await shared_server.call("browser_click", ref=ref)
    assert not reply.is_error
    after = await shared_server.call("browser_snapshot")
    assert 'button "HIT"' in after.sections["Snapshot"]


@pytest.mark.prove
@pytest.mark.timing
async def test_a_frame_that_hangs_is_marked_and_the_page_can_be_used(
    shared_server: ServerClient, show: Show, site: Site
) -> None:
    inner = elsewhere(site, f"<p>Ad</p>{site.script_that_hangs()}")
    await show(f"<iframe src={inner}></iframe>{HIT}")
    await shared_server.call("browser_evaluate", function="frames[0].postMessage('', '*')")
    await wait_until(lambda: bool(site.requests("/hangs")))
    start = time.monotonic()
    page = await shared_server.call("browser_snapshot")
    assert time.monotonic() - start < 8.0
    assert "- iframe [unresponsive] [ref=" in page.sections["Snapshot"]
    reply = await shared_server.call("browser_click", ref=page.ref("button", "Pay"))
    assert not reply.is_error
    waited = await shared_server.call("browser_wait_for", text="HIT")
    assert not waited.is_error
