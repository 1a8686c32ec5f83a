"""Judges the pages of a corpus in a few tabs at once."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Iterable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from cdp_protocol import Connection
from tests.browser.walker.walked import Walked
from tests.prove.fidelity.judge import Judged
from tests.prove.fidelity.pages.page import CorpusPage
from tests.prove.fidelity.referee import Restless, judge

TABS = 2
VIEWPORT = (1280, 800)


@dataclass(slots=True)
class Outcome:
    """The results of a run.

    Attributes:
        pages: The number of judged pages, by part of the corpus.
        judged: The judged elements, by part of the corpus.
        restless: Pages that could not be judged because they keep changing.
    """

    pages: Counter[str] = field(default_factory=Counter)
    judged: dict[str, list[Judged]] = field(default_factory=dict)
    restless: list[str] = field(default_factory=list)


async def judge_pages(connection: Connection, pages: Iterable[CorpusPage]) -> Outcome:
    """Judge each page, a few at once."""
    outcome = Outcome()
    pending = iter(list(pages))
    async with asyncio.TaskGroup() as group:
        for _ in range(TABS):
            group.create_task(_judge_in_a_tab(connection, pending, outcome))
    return outcome


async def _judge_in_a_tab(
    connection: Connection, pending: Iterable[CorpusPage], outcome: Outcome
) -> None:
    async with open_tab(connection) as walked:
        for page in pending:
            if page.url:
                await walked.open(page.url)
            else:
                await walked.load(page.html)
            try:
                judged = await judge(walked, page.name)
            except Restless:
                outcome.restless.append(page.name)
                continue
            outcome.pages[page.part] += 1
            outcome.judged.setdefault(page.part, []).extend(judged)


@asynccontextmanager
async def open_tab(connection: Connection, exposed: Sequence[str] = ()) -> AsyncIterator[Walked]:
    """Open a tab in a separate browser context; `exposed` as in `Walked`."""
    target = connection.root.Target
    context_id = (await target.createBrowserContext())["browserContextId"]
    made = await target.createTarget(url="about:blank", browserContextId=context_id)
    session = await connection.root.attach(made)
    width, height = VIEWPORT
    await session.Emulation.setDeviceMetricsOverride(
        width=width, height=height, deviceScaleFactor=1, mobile=False
    )
    try:
        yield await Walked.start(session, exposed)
    finally:
        await target.disposeBrowserContext(browserContextId=context_id)
