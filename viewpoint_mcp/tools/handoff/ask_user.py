"""The tool that hands the browser over to a person (`--caps handoff`)."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal

from msgspec import Meta

from viewpoint_mcp.accessibility.printing.sentence_quotes import to_one_line
from viewpoint_mcp.background_tasks import cancel_and_wait
from viewpoint_mcp.call_status import set_call_status
from viewpoint_mcp.caller import Caller, ClientInputError, caller, elicit
from viewpoint_mcp.errors import CallError, PageClosedError
from viewpoint_mcp.tools.core.args import Args, ContextName
from viewpoint_mcp.tools.core.result import ToolResult
from viewpoint_mcp.tools.core.sessionless_call_policy import ActsInContext
from viewpoint_mcp.tools.core.structured_output import Output
from viewpoint_mcp.tools.core.tool import browser_tool

if TYPE_CHECKING:
    from viewpoint_mcp.browser.client_workspace import Workspace
    from viewpoint_mcp.browser.context import Context
    from viewpoint_mcp.page.handover.answer import Answer
    from viewpoint_mcp.page.handover.handover import HandOver
    from viewpoint_mcp.page.page import Page

MAX_WAIT: Final = 3600  # seconds
_DEFAULT_WAIT: Final = 300  # seconds
_MARGIN: Final = 300  # seconds for the start of the browser and for the snapshot
_ANSWER_SCHEMA: Final = {
    "type": "object",
    "properties": {
        "answer": {
            "type": "string",
            "title": "Message to the agent",
            "description": "Optional. Enter passwords only in the browser.",
        }
    },
}


class AskUserArgs(Args):
    message: Annotated[str, Meta(min_length=1, max_length=2000)]
    """What the person should do, and where, such as "Log in to the shop; I continue with the
    basket." """
    timeout: Annotated[float, Meta(ge=0, le=MAX_WAIT, description="Seconds, at most 3600")] = (
        _DEFAULT_WAIT
    )
    """Time for the person, in seconds. 0 asks nothing, and ends a request that is open in the
    tab."""
    context: ContextName = None


class AskUserOutput(Output):
    outcome: Literal["done", "declined", "timeout", "waiting", "withdrawn"]
    answer: str = ""
    url: str = ""


@browser_tool(
    "browser_ask_user",
    title="Ask user",
    kind="input",
    capability="handoff",
    time_limit=MAX_WAIT + _MARGIN,
    output=AskUserOutput,
    sessionless=ActsInContext(),
)
async def ask_user(browser: Workspace, args: AskUserArgs) -> ToolResult:
    """Ask the person to act in the active tab (log in, solve a captcha, confirm), and wait until
    they are done.

    The person reads the message in the client, if it supports elicitation, and in a notice in the
    tab. If the browser has no window, the person sees the tab in the live view. If the client does
    not support elicitation either, the first call returns at once with `waiting` and the URL of the
    live view, for the person. A second call with the same message then waits.

    Meanwhile other calls on the tab are refused, and nothing that the person types is recorded: no
    video, no pictures of a trace, no console messages, no bodies of requests.

    Reply: the outcome: `done`, `declined`, `timeout` or `waiting`; the message of the person, if
    there is one; the changes of the page.

    Errors: no person can see the browser; a person already acts in the tab for another message; the
    tab was closed or crashed.
    """
    context = await browser.get_context(args.context)
    page = await context.get_active_page()
    if args.timeout == 0:
        return await _withdraw(page)
    handover, is_new = await _find_or_start(browser, page, args)
    is_kept = False
    try:
        url = "" if handover.has_window else await _open_live_view(browser)
        if is_new and url and not caller().shows_forms:
            is_kept = True
            return _describe_waiting(url, args, context)
        answer = await _Asking(caller(), handover, url).wait()
    except _QuestionRefused:
        is_kept = True
        return _describe_waiting(url, args, context)
    except ClientInputError:
        is_kept = True  # the client repeats the call with the answer
        raise
    except PageClosedError as error:
        return ToolResult(
            f"The tab was closed before the person answered. {error}",
            context=context,
            is_error=True,
            error_code=error.code,
        )
    finally:
        if not is_kept and not handover.waiting_calls:
            await handover.end()
    async with page.lock, page.settle_afterwards(is_patient=False):
        pass
    return _describe(answer, args, context=context, page=page, snapshot=True)


async def _find_or_start(
    browser: Workspace, page: Page, args: AskUserArgs
) -> tuple[HandOver, bool]:
    """Return the hand-over for the message, and whether it is new.

    It is an open one, one with an answer that no call has returned yet, or a new one.

    Raises:
        HandedOverError: A call waits for the answer to another message.
    """
    has_window = browser.is_browser_local and not await page.handovers.is_browser_headless()
    async with page.lock:
        last = page.handovers.last
        if last is not None and last.message == args.message:
            if last.is_open:
                last.extend(args.timeout)
                return last, False
            if last.has_unread_answer:
                return last, False
        if last is not None and last.is_open and not last.waiting_calls:
            await last.end()  # the client gave it up
        if not has_window and browser.open_live_view is None:
            raise CallError(
                "No person can see this browser: it has no window on this machine.",
                "Start the server without --headless, or attach it to a browser with a window.",
            )
        started = await page.handovers.start(
            args.message,
            args.timeout,
            has_window=has_window,
            keep_browser=browser.pause_idle_timer,
        )
        return started, True


async def _open_live_view(browser: Workspace) -> str:
    assert browser.open_live_view is not None
    return await browser.open_live_view()


async def _withdraw(page: Page) -> ToolResult:
    last = page.handovers.last
    is_open = last is not None and last.is_open
    if last is not None:
        await last.end()
    what = "The tab can be used again" if is_open else "No request was open in the tab"
    output = AskUserOutput(outcome="withdrawn")
    return ToolResult(f"Outcome: withdrawn. {what}", output=output, page=page, snapshot=is_open)


class _QuestionRefused(Exception):
    """The client refused the question, and the person does not know the URL of the live view."""


class _Asking:
    """The wait for the answer of a person, in the client or in the tab.

    Args:
        url: The URL of the live view; "" if the person sees the browser.
    """

    def __init__(self, client: Caller, handover: HandOver, url: str) -> None:
        self._client = client
        self._handover = handover
        self._url = url

    async def wait(self) -> Answer | None:
        """Wait until the person answers, or the time is over.

        Raises:
            InputRequired: The client must ask, and repeat the call with the answer.
            _QuestionRefused: The client does not ask, and the browser has no window.
            PageError: The page crashed or was closed.
        """
        set_call_status("A person acts in the browser")
        asking = asyncio.create_task(self._ask_in_client())
        waiting = asyncio.create_task(self._handover.wait())
        try:
            await asyncio.wait({asking, waiting}, return_when=asyncio.FIRST_COMPLETED)
            if asking.done():
                asking.result()
            return await waiting
        finally:
            await cancel_and_wait(asking)
            await cancel_and_wait(waiting)

    async def _ask_in_client(self) -> None:
        """Show the message in the client, if it can, and note the answer.

        A client that refuses leaves the question to the notice in the window.
        """
        from viewpoint_mcp.page.handover.answer import Answer

        if not self._client.shows_forms:
            return
        place = (
            f"Open {self._url} to see and use the page"
            if self._url
            else "Do it in the window of the browser"
        )
        text = (
            f"{self._handover.message}\n\n{place}. Accept when you are done. Decline if you cannot "
            "do it."
        )
        try:
            answers = await self._client.ask(person=elicit(text, _ANSWER_SCHEMA))
        except CallError:
            if self._url:
                raise _QuestionRefused from None
            return
        answer: dict[str, Any] = answers["person"]
        content = answer.get("content")
        written = content.get("answer") if isinstance(content, dict) else None
        self._handover.answer(
            Answer(
                "done" if answer["action"] == "accept" else "declined",
                written if isinstance(written, str) else "",
            )
        )


def _describe_waiting(url: str, args: AskUserArgs, context: Context) -> ToolResult:
    text = (
        f"Outcome: waiting. Show the user this URL, to see and use the tab: {url}\n"
        "Then call browser_ask_user again with the same message: it waits until the user is done. "
        f"The tab is the user's for {args.timeout:g} s"
    )
    return ToolResult(text, output=AskUserOutput(outcome="waiting", url=url), context=context)


def _describe(answer: Answer | None, args: AskUserArgs, **rest: Any) -> ToolResult:
    if answer is None:
        text = (
            f"Outcome: timeout. The person did not answer within {args.timeout:g} s, and the tab "
            "can be used again"
        )
        return ToolResult(text, output=AskUserOutput(outcome="timeout"), **rest)
    text = f"Outcome: {answer.outcome}"
    if answer.outcome == "declined":
        text += ". The person cannot do it, or closed the question"
    written = to_one_line(answer.text)
    if written:
        text += f"\nMessage of the person: {written}"
    return ToolResult(text, output=AskUserOutput(outcome=answer.outcome, answer=written), **rest)
