"""The guard that the executor calls before and after each call of one client."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from viewpoint_mcp.accessibility.printing.sentence_quotes import quote_in_sentence, to_one_line
from viewpoint_mcp.caller import MissingCapability, caller, elicit
from viewpoint_mcp.config.secrets import Secrets
from viewpoint_mcp.config.settings import OutflowMode
from viewpoint_mcp.errors import BlockedError
from viewpoint_mcp.files.file_access import FileAccess
from viewpoint_mcp.page.shorten import shorten_url
from viewpoint_mcp.tools.core.tool import Tool
from viewpoint_mcp.tools.guards.outflow.sites import find_site

if TYPE_CHECKING:
    from viewpoint_mcp.tools.guards.outflow.comparison import Comparison, Finding
    from viewpoint_mcp.tools.guards.outflow.sinks import Sink

_MAX_WAITING = 400_000  # characters of texts that wait for a second site
_MAX_SHOWN = 40  # characters of a text that a message shows
_IDLE_TIME = 0.02  # seconds after a reply; the client has it by then, and the model reads it
_ANSWER_SCHEMA = {"type": "object", "properties": {}}


class OutflowGuard:
    """Compares what calls give to a site with what other sites have shown in replies.

    Until replies have shown a second site, the guard only keeps the texts. Then it indexes them
    between the calls.

    Args:
        mode: What happens with a finding: a note in the reply, a question, or a refusal.
        secrets: The secrets, which are remembered where they are typed.
        files: Reads the files of uploads.
    """

    def __init__(self, mode: OutflowMode, secrets: Secrets, files: FileAccess) -> None:
        self._mode = mode
        self._secrets = secrets
        self._secret_values = {each for each in secrets.values.values() if len(each) > 3}
        self._files = files
        self._comparison: Comparison | None = None
        self._waiting: deque[tuple[str, str | Sequence[Sink]]] = deque()
        self._waiting_size = 0
        self._last_url = ""
        self._sites: set[str] = set()  # that replies have shown
        self._indexing: asyncio.TimerHandle | None = None

    @property
    def is_indexing_pending(self) -> bool:
        """Whether texts will be indexed soon."""
        return self._indexing is not None

    def remember_reply(self, url: str, text: str) -> None:
        """Remember what a reply shows of a page.

        Args:
            url: The URL of the page.
        """
        if not text or not url.startswith("http"):
            return
        if url != self._last_url:
            self._last_url = url
            self._sites.add(find_site(url) or "")
        self._keep(url, text, len(text))
        if len(self._sites) > 1 and self._indexing is None:
            self._indexing = asyncio.get_running_loop().call_later(_IDLE_TIME, self._compare)

    async def check(self, tool: Tool[Any], args: Any, page_url: str) -> str:
        """Compare what a call gives to a site with what other sites have shown.

        Args:
            page_url: The URL of the page, or of the frame, that the call acts on; "" for none.

        Returns:
            A note for the reply; "" if nothing was found.

        Raises:
            BlockedError: A finding was refused.
            InputRequired: The client must ask its user and repeat the call.
        """
        if not tool.sinks:
            return ""
        from viewpoint_mcp.tools.guards.outflow.sinks import list_sinks

        sinks = list_sinks(tool, args, page_url, self._files)
        if not sinks:
            return ""
        finding = self._find(sinks)
        if finding is not None:
            await self._raise_unless_permitted(finding, tool)
        self._remember_given(sinks, is_reported=finding is not None)
        return "" if finding is None else f"Outflow: this call gives {_describe(finding)}."

    def _find(self, sinks: Sequence[Sink]) -> Finding | None:
        destinations = {site for sink in sinks if (site := find_site(sink.destination))}
        if not any(self._sites - {each} for each in destinations):
            return None
        return self._compare().find(sinks)

    async def _raise_unless_permitted(self, finding: Finding, tool: Tool[Any]) -> None:
        """Source: MCP `elicitation/create`."""
        if self._mode == "note":
            return
        refusal = f"{tool.name} was not run: it would give {_describe(finding)}."
        if self._mode == "block":
            raise BlockedError(refusal, "Leave this text out, or ask the user. (--outflow block)")
        question = elicit(f"May the agent give {_describe(finding)}?", _ANSWER_SCHEMA)
        try:
            answers = await caller().ask(outflow=question)
        except MissingCapability:
            raise BlockedError(
                refusal, "This client cannot ask its user, as --outflow ask requires."
            ) from None
        if answers["outflow"]["action"] != "accept":
            raise BlockedError(refusal, "The user did not permit it.")

    def _remember_given(self, sinks: Sequence[Sink], *, is_reported: bool) -> None:
        if is_reported:
            self._compare().forget_pieces(sinks)
            return
        self._keep("", sinks, sum(len(each.text) for each in sinks))
        for sink in sinks:
            if sink.is_piece and sink.text in self._secret_values:
                self._sites.add(find_site(sink.destination) or "")
                self._compare().add_shown(sink.destination, sink.text, is_secret=True)

    def _keep(self, url: str, content: str | Sequence[Sink], size: int) -> None:
        self._waiting.append((url, content))
        self._waiting_size += size
        while self._waiting_size > _MAX_WAITING and len(self._waiting) > 1:
            _, oldest = self._waiting.popleft()
            self._waiting_size -= _measure(oldest)

    def _compare(self) -> Comparison:
        """Return the comparison, with all that was kept for it in the order in which it came."""
        from viewpoint_mcp.tools.guards.outflow.comparison import Comparison

        if self._indexing is not None:
            self._indexing.cancel()
            self._indexing = None
        comparison = self._comparison = self._comparison or Comparison()
        while self._waiting:
            url, content = self._waiting.popleft()
            if isinstance(content, str):
                comparison.add_shown(url, self._secrets.mask(content))
            else:
                comparison.add_given(content)
        self._waiting_size = 0
        return comparison


def _measure(content: str | Sequence[Sink]) -> int:
    return len(content) if isinstance(content, str) else sum(len(each.text) for each in content)


def _describe(finding: Finding) -> str:
    """Return the clause about a finding: the text, its source and its destination."""
    destination = shorten_url(finding.destination)
    hidden = f" ({finding.encoding})" if finding.encoding else ""
    if finding.is_secret:
        return f"a secret{hidden} that was typed on {finding.source} to {destination}"
    text = quote_in_sentence(_shorten_and_mask(finding.text))
    return f"{text}{hidden}, which {finding.source} showed, to {destination}"


def _shorten_and_mask(text: str) -> str:
    """Return the beginning of a long text, and both ends of a short one."""
    line = to_one_line(text)
    if len(line) > _MAX_SHOWN:
        return f"{line[:_MAX_SHOWN]}…"
    visible = max(1, min(4, len(line) // 4))
    return f"{line[:visible]}…{line[-visible:]}"
