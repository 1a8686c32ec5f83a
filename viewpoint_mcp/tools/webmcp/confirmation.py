"""Consent of the person to a tool that the page marks as consequential."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from viewpoint_mcp.accessibility.printing.sentence_quotes import to_one_line
from viewpoint_mcp.call_status import set_call_status
from viewpoint_mcp.caller import caller, elicit
from viewpoint_mcp.errors import BlockedError, PageChangedError
from viewpoint_mcp.page.shorten import shorten, shorten_url
from viewpoint_mcp.tools.webmcp.offered_tool_lookup import get_origin
from viewpoint_mcp.tools.webmcp.page_texts import quote

if TYPE_CHECKING:
    from viewpoint_mcp.page.frames import Frame
    from viewpoint_mcp.page.page import Page
    from viewpoint_mcp.page.webmcp.offered_tools import OfferedTool

_MAX_TEXT: Final = 500  # characters of the description in the question
_MAX_PARAMS: Final = 2_000
_NO_FIELDS: Final = {"type": "object", "properties": {}}


async def confirm_if_consequential(
    page: Page,
    frame: Frame,
    tool: OfferedTool,
    params: Mapping[str, Any],
    *,
    is_confirmed: bool,
) -> None:
    """Make sure that the person agrees to the call, if the page marks the tool as consequential.

    Args:
        is_confirmed: Whether the agent states that the person has agreed. It counts only if the
            client cannot ask the person.

    Raises:
        BlockedError: The person did not agree, or the agent has to ask first.
        PageChangedError: The page replaced the tool while the person was asked.
        ClientInputError: The client must ask, and repeat the call with the answer.
    """
    if "consequential" not in tool.annotations:
        return
    client = caller()
    if not client.shows_forms:
        if is_confirmed:
            return
        raise BlockedError(
            f"The page marks the tool {quote(tool.name)} as consequential, and this client cannot "
            "ask the person. Nothing was called.",
            "Describe the call to the person. If they agree, repeat it with confirm: true.",
        )
    question = _make_question(page, frame, tool, params)
    # The name belongs to this question alone. So if a call is repeated with an answer (MCP
    # 2026-07-28), an answer about another tool or another page does not count.
    name = f"consent_{hashlib.sha256(question.encode()).hexdigest()[:16]}"
    set_call_status("The person is asked to confirm the call")
    answer = (await client.ask(**{name: elicit(question, _NO_FIELDS)}))[name]
    if answer["action"] != "accept":
        raise BlockedError(
            f"The person did not agree to the call of the tool {quote(tool.name)}.",
            "Do not repeat it unless they ask for it.",
        )
    if page.webmcp is None or not page.webmcp.tools.has(tool):
        raise PageChangedError(
            f"The page replaced the tool {quote(tool.name)} while the person was asked. Nothing "
            "was called.",
            "See its tools with browser_webmcp_list.",
        )


def _make_question(page: Page, frame: Frame, tool: OfferedTool, params: Mapping[str, Any]) -> str:
    request = f"May the agent call the tool {quote(tool.name)} of {get_origin(frame)}?"
    given = shorten(json.dumps(params, ensure_ascii=False), _MAX_PARAMS)
    return "\n".join(
        [
            f"{request} The page marks it as consequential: it may buy, book, send or delete.",
            f"Input: {to_one_line(given)}",
            f"Page: {shorten_url(page.url)}",
            f"Description by the page: {quote(shorten(tool.description, _MAX_TEXT))}",
        ]
    )
