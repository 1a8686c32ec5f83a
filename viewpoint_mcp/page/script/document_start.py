"""The `inpage` scripts, run by Chromium at the start of each document."""

from __future__ import annotations

from cdp_protocol import Session
from viewpoint_mcp import inpage
from viewpoint_mcp.page.isolated_world import WORLD_NAME


async def load_scripts_at_document_start(session: Session, *, has_test_support: bool) -> None:
    """Make Chromium run the `inpage` scripts in each new document of a tab before other scripts.

    Later calls then need not send the scripts, and need not wait for the page's first paint.

    Args:
        has_test_support: Whether the API has the functions for tests.

    Source: CDP `Page.addScriptToEvaluateOnNewDocument`.
    """
    await session.Page.addScriptToEvaluateOnNewDocument(
        source=inpage.build_document_start_script(has_test_support=has_test_support),
        worldName=WORLD_NAME,
    )
