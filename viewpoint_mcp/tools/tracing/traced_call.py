"""One call of a trace, and what the report shows of it."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from viewpoint_mcp.tools.tracing.trace_store import Blob


class TracedPicture(Struct):
    """A picture of the page, or the reason why there is none.

    Args:
        blob: The place of the JPEG file in the store; None for no picture.
        size: Width and height in pixels.
        missing: Why there is no picture; "" if there is one.
    """

    blob: Blob | None = None
    size: tuple[int, int] = (0, 0)
    missing: str = ""


class ConsoleLine(Struct):
    """A console message.

    Args:
        level: "error", "warning", "info" or "debug".
        text: The message and its source.
        tab: The tab, if it is another one than that of the call; else "".
    """

    level: str
    text: str
    tab: str = ""


class RequestLine(Struct):
    """A network request, as `browser_network_requests` prints it.

    Args:
        tab: See `ConsoleLine`.
    """

    text: str
    is_failed: bool
    tab: str = ""


class CallDetails(Struct):
    """What the report shows of one call.

    Args:
        arguments: The arguments as the client sent them.
        started: Start time in seconds of `time.time`.
        seconds: Duration without the time for the pictures.
        context: The context that the call acted in; "" for none.
        tab: The tab that it acted on, as "tab 1"; "" for none.
        url: The URL of the page after the call.
        title: The title of the page after the call.
        reply: The text of the reply.
        error_code: The code of the error if the call failed; else "".
        before: The page before the call; None if the call acts on no page.
        after: The page after it.
        console: The console messages since the last call.
        requests: The requests that began or ended since the last call.
        omitted: What was left out of this call, as sentences.
    """

    arguments: Any
    started: float
    seconds: float = 0.0
    context: str = ""
    tab: str = ""
    url: str = ""
    title: str = ""
    reply: str = ""
    error_code: str = ""
    before: TracedPicture | None = None
    after: TracedPicture | None = None
    console: list[ConsoleLine] = []
    requests: list[RequestLine] = []
    omitted: list[str] = []


class TracedCall(Struct):
    """A call in the list of a trace. The store has its details.

    Args:
        number: Its number in the list, such as "3", or "3.2" for a step of a batch.
        details: The place of its details, as JSON; None while it runs.
    """

    number: str
    tool_name: str
    details: Blob | None = None
