"""`cdp diff`."""

from __future__ import annotations

import copy

import orjson
import pytest

from cdp_protocol.description import BUNDLED_FILE, Description
from tests.e2e.cdp_cli.conftest import Cli
from tests.site import Site


@pytest.fixture
def later_browser(site: Site) -> str:
    """Return the address of a browser of a later version: a command more, a parameter less."""
    protocol = copy.deepcopy(orjson.loads(BUNDLED_FILE.read_bytes()))
    (page,) = [domain for domain in protocol["domains"] if domain["domain"] == "Page"]
    page["commands"].append({"name": "fly"})
    (navigate,) = [each for each in page["commands"] if each["name"] == "navigate"]
    navigate["parameters"] = [each for each in navigate["parameters"] if each["name"] == "url"]
    site.respond("/json/protocol", orjson.dumps(protocol))
    site.respond("/json/version", orjson.dumps({"Browser": "Chrome/999"}))
    return site.url()


async def test_an_equal_protocol_exits_with_0_and_prints_nothing(cdp: Cli, site: Site) -> None:
    site.respond("/json/protocol", BUNDLED_FILE.read_bytes())
    site.respond("/json/version", b"{}")
    ended = await cdp("diff", "-e", site.url())
    assert (ended.status, ended.out, ended.err) == (0, "", "")


async def test_each_difference_is_a_line_and_the_exit_status_is_1(
    cdp: Cli, later_browser: str
) -> None:
    ended = await cdp("-e", later_browser, "diff")
    assert (ended.status, ended.err) == (1, "")
    ours, theirs, *differences = ended.lines
    assert ours == f"--- bundled  {Description.bundled().revision}"
    assert theirs == "+++ browser  Chrome/999"
    assert "new:     Page.fly" in differences
    assert "changed: Page.navigate: parameter referrer is gone" in differences


async def test_for_programs_it_is_one_line_of_json(cdp: Cli, later_browser: str) -> None:
    ended = await cdp("-e", later_browser, "diff", "--json")
    (result,) = ended.json
    assert (ended.status, result["browser"]) == (1, "Chrome/999")
    assert "new:     Page.fly" in result["differences"]


async def test_the_browser_at_hand_can_be_compared(cdp: Cli) -> None:
    ended = await cdp("diff")
    assert ended.status in {0, 1}  # for any version of Chromium
    assert (ended.err, bool(ended.out)) == ("", ended.status == 1)


async def test_an_error_exits_with_2(cdp: Cli, site: Site) -> None:
    nobody = await cdp("diff", "-e", "1")
    assert (nobody.status, nobody.out) == (2, "")
    assert "Cannot connect to a browser at 1:" in nobody.err
    site.respond("/json/protocol", b"[1]")
    nonsense = await cdp("diff", "-e", site.url())
    assert (nonsense.status, nonsense.out, "Traceback" in nonsense.err) == (2, "", False)
