"""Chrome's own accessibility tree judges what is printed, over the whole corpus."""

from __future__ import annotations

import pytest

from cdp_protocol import Connection
from tests.browser.fidelity.corpus import corpus
from tests.browser.fidelity.floors import fallen
from tests.browser.fidelity.report import report
from tests.browser.fidelity.run import judge_pages


@pytest.mark.time_limit(600)
async def test_agreement_with_chrome_does_not_fall(connection: Connection) -> None:
    with corpus() as pages:
        outcome = await judge_pages(connection, pages)
    below = list(fallen(outcome))
    assert not below, "\n".join([*below, *report(outcome)])
    assert not outcome.restless
