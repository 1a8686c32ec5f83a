"""Real Playwright finds each element of the pages in tests/pages by its generated locator."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.conftest import OpenHere
from tests.prove.playwright.runners import check_locators

PAGES = Path(__file__).parents[2] / "pages"
GROUPS = 6  # so that no test takes long
LEAST_COUNT = 100
MOST_FAILURES = 0.05  # share; the pages are made to be difficult
# The way to the element from the root of the document, as in check_locators.mjs.
PATH = """(element) => {
  const path = [];
  for (let at = element; at; at = at.parentNode ?? at.host) {
    if (at.nodeType === 11) path.unshift("root");
    else if (at.nodeType === 1) {
      const position = at.parentNode ? [...at.parentNode.children].indexOf(at) : 0;
      path.unshift(`${at.localName}:${position}`);
    }
  }
  return path.join(" ");
}"""

pytestmark = [pytest.mark.prove, pytest.mark.time_limit(110)]


@pytest.mark.parametrize("group", range(GROUPS))
async def test_playwright_finds_the_same_elements(
    open_here: OpenHere, tmp_path: Path, chromium: str, group: int
) -> None:
    cases: list[dict[str, Any]] = []
    flags = (
        *("--caps=testing", "--snapshot-budget=400000"),
        "--allow-unrestricted-file-access",
    )
    async with open_here(*flags, cwd=tmp_path) as server:
        await server.initialize()
        for page in sorted(PAGES.glob("*.html"))[group::GROUPS]:
            await server.call("browser_navigate", url=page.as_uri())
            snapshot = await server.call("browser_snapshot", allRefs=True)
            items = []
            for ref in dict.fromkeys(re.findall(r"\[ref=(\w+)\]", snapshot.text)):
                generated = await server.call("browser_generate_locator", ref=ref)
                # An element may be another one by now, or in a closed shadow root.
                if generated.is_error or "\n" in generated.sections["Result"]:
                    continue
                locator = generated.sections["Result"]
                path = await server.call("browser_evaluate", function=PATH, ref=ref)
                found = await server.call("browser_evaluate", function=PATH, ref=locator)
                assert found.sections["Result"] == path.sections["Result"], locator
                items.append({"locator": locator, "path": path.sections["Result"]})
            cases.append({"url": page.as_uri(), "items": items})
    count = sum(len(case["items"]) for case in cases)
    failures = await check_locators(cases, chromium)
    assert count > LEAST_COUNT
    assert len(failures) <= MOST_FAILURES * count, failures
