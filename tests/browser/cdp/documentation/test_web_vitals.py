"""`scripts/examples/web_vitals.py` on a real Chromium."""

from __future__ import annotations

import pytest

from tests.browser.cdp.documentation.examples import Play
from tests.site import Site

pytestmark = pytest.mark.prove


async def test_vitals_contain_the_largest_element_and_the_worst_window_of_shifts(
    site: Site, run_script: Play
) -> None:
    site.respond("/size")
    url = site.page(
        "<style>* { margin: 0 }</style><div id=spacer></div>"
        "<div style='width: 300px; height: 200px; background: teal'><h1>Hero</h1></div><script>"
        "fetch(`/size?width=${innerWidth}&height=${innerHeight}`);"
        "const shift = (height) => { spacer.style.height = `${height}px`; };"
        "setTimeout(shift, 100, 100); setTimeout(shift, 200, 150); setTimeout(shift, 1500, 190);"
        "</script>"
    )

    played = await run_script("web_vitals", url, "--seconds", 2)

    assert played.status == 0, played.complaint
    vitals = {line.split()[0]: line.split()[1:] for line in played.lines[:-1]}
    size = site.requests("/size")[0].args
    width, height = int(size["width"]), int(size["height"])
    scores = [
        300 * (200 + moved) / (width * height) * moved / max(width, height)
        for moved in (100, 50, 40)
    ]
    assert float(vitals["CLS"][0]) == pytest.approx(scores[0] + scores[1], abs=0.002)
    assert (
        0 < float(vitals["TTFB"][0]) <= float(vitals["FCP"][0]) <= float(vitals["LCP"][0]) < 20000
    )
    assert vitals["INP"] == ["-", *["not", "seen,", "for", "it", "takes", "a", "--click"]]


async def test_a_click_measures_the_next_paint(site: Site, run_script: Play) -> None:
    url = site.page(
        "<h1>Large</h1><div style='height: 3000px'></div><button id=slow onclick="
        "'const t = performance.now(); while (performance.now() - t < 250);'>press</button>"
    )

    played = await run_script("web_vitals", url, "--seconds", 0.2, "--click", "#slow")

    assert played.status == 0, played.complaint
    [inp] = [line for line in played.lines if line.startswith("INP")]
    assert 240 <= float(inp.split()[1]) < 5000
    assert not inp.endswith("good")
    assert played.lines[-1] == "The largest paint was of <h1></h1>"


async def test_a_click_that_navigates_is_reported(site: Site, run_script: Play) -> None:
    other = site.page("<p>other", path="/other")
    url = site.page(f"<a id=away href='{other}'>away</a>")

    played = await run_script("web_vitals", url, "--seconds", 0.2, "--click", "#away")

    assert played.status == 1
    assert "The page navigated, and what had been measured went with it." in played.complaint
    assert not played.lines


async def test_a_terminal_obeys_no_class_of_a_page(site: Site, run_script: Play) -> None:
    url = site.page("<h1 class='a\x1b[31m\u202e'>Large</h1>")

    played = await run_script("web_vitals", url, "--seconds", 0.2)

    assert played.status == 0, played.complaint
    assert played.lines[-1] == r'The largest paint was of <h1 class="a\x1b[31m\u202e"></h1>'


async def test_an_element_that_cannot_be_clicked_is_reported(site: Site, run_script: Play) -> None:
    played = await run_script("web_vitals", site.page("<p>"), "--seconds", 0, "--click", "#nothing")

    assert played.status == 1
    assert played.complaint.strip() == "Nothing in the page matches #nothing."
