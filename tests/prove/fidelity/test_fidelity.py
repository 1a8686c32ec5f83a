"""Chrome's own accessibility tree judges the printed trees, over the whole corpus."""

from __future__ import annotations

import pytest

from cdp_protocol import Connection
from tests.prove.fidelity.floors import list_drops, parts
from tests.prove.fidelity.pages.corpus import corpus
from tests.prove.fidelity.report import report
from tests.prove.fidelity.run import judge_pages


@pytest.mark.time_limit(110)
@pytest.mark.parametrize("part", parts())
async def test_agreement_with_chrome_does_not_fall(connection: Connection, part: str) -> None:
    with corpus() as pages:
        outcome = await judge_pages(connection, [page for page in pages if page.part == part])
    below = list(list_drops(outcome, part))
    assert not below, "\n".join([*below, *report(outcome)])
    assert not outcome.restless
