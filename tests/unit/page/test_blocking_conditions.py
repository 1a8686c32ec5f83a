"""Events that end a wait for a page, and the translation of CDP errors."""

from __future__ import annotations

import asyncio

import pytest

from cdp_protocol import (
    CallTimeout,
    CdpError,
    ConnectionLost,
    ProtocolError,
    Session,
    SessionClosed,
    Unanswered,
)
from tests.unit.cdp.fake_transport import FakeTransport
from viewpoint_mcp.errors import (
    BrowserError,
    BrowserLostError,
    ModalOpenError,
    PageCrashedError,
    PageError,
    PageTimeoutError,
    ViewpointError,
)
from viewpoint_mcp.page.blocking_conditions import BlockingConditions, Dialog, FileChooser

ALERT = Dialog("alert", "Really?")


@pytest.fixture
def blockers() -> BlockingConditions:
    return BlockingConditions()


class Waiting:
    """A wait that lasts until the test answers it."""

    def __init__(self) -> None:
        self.begun = asyncio.Event()
        self.answer: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        self.was_cancelled = False

    async def __call__(self) -> str:
        self.begun.set()
        try:
            return await self.answer
        except asyncio.CancelledError:
            self.was_cancelled = True
            raise


async def answer(value: str) -> str:
    return value


async def fail(error: Exception) -> str:
    raise error


async def test_a_result_comes_through(blockers: BlockingConditions) -> None:
    assert await blockers.run_unless_blocked(answer("yes")) == "yes"


async def test_an_error_of_the_caller_comes_through(blockers: BlockingConditions) -> None:
    with pytest.raises(ValueError, match="mine"):
        await blockers.run_unless_blocked(fail(ValueError("mine")))


async def test_a_dialog_ends_the_wait_and_cancels_the_awaited_task(
    blockers: BlockingConditions,
) -> None:
    waiting = Waiting()
    race = asyncio.create_task(blockers.run_unless_blocked(waiting()))
    await waiting.begun.wait()
    blockers.note_dialog_opened(ALERT)
    with pytest.raises(ModalOpenError, match=r'"alert" dialog with message "Really\?"'):
        await race
    assert waiting.was_cancelled


async def test_an_existing_result_wins_over_the_dialog(blockers: BlockingConditions) -> None:
    waiting = Waiting()
    race = asyncio.create_task(blockers.run_unless_blocked(waiting()))
    await waiting.begun.wait()
    waiting.answer.set_result("yes")
    blockers.note_dialog_opened(ALERT)
    assert await race == "yes"


async def test_a_page_that_is_interrupted_already_is_not_waited_for(
    blockers: BlockingConditions,
) -> None:
    blockers.note_dialog_opened(ALERT)
    with pytest.raises(ModalOpenError):
        await blockers.run_unless_blocked(Waiting()())


async def test_a_closed_dialog_blocks_nothing(blockers: BlockingConditions) -> None:
    blockers.note_dialog_opened(ALERT)
    blockers.note_dialog_closed()
    assert blockers.blocking_error() is None
    assert await blockers.run_unless_blocked(answer("yes")) == "yes"


async def test_a_dialog_that_opens_and_closes_during_the_wait_does_not_lose_the_result(
    blockers: BlockingConditions,
) -> None:
    """A dialog that the user answers at once, before the race has looked."""
    waiting = Waiting()
    race = asyncio.create_task(blockers.run_unless_blocked(waiting()))
    await waiting.begun.wait()
    blockers.note_dialog_opened(ALERT)
    blockers.note_dialog_closed()
    await asyncio.wait({race}, timeout=0)
    waiting.answer.set_result("yes")
    assert await race == "yes"


async def test_a_cancelled_race_cancels_its_tasks(blockers: BlockingConditions) -> None:
    waiting = Waiting()
    race = asyncio.create_task(blockers.run_unless_blocked(waiting()))
    await waiting.begun.wait()
    race.cancel()
    with pytest.raises(asyncio.CancelledError):
        await race
    assert waiting.was_cancelled


async def test_several_races_end_with_one_dialog(blockers: BlockingConditions) -> None:
    waits = [Waiting(), Waiting()]
    races = [asyncio.create_task(blockers.run_unless_blocked(waiting())) for waiting in waits]
    for waiting in waits:
        await waiting.begun.wait()
    blockers.note_dialog_opened(ALERT)
    ends = await asyncio.gather(*races, return_exceptions=True)
    assert [type(end) for end in ends] == [ModalOpenError, ModalOpenError]


async def test_a_finished_race_listens_no_more(blockers: BlockingConditions) -> None:
    received: list[str] = []
    await blockers.run_unless_blocked(answer("yes"))
    stop = blockers.on_interruption(lambda: received.append("interrupted"))
    blockers.note_page_crashed()
    stop()
    blockers.note_page_closed()
    assert received == ["interrupted"]


async def test_a_crash_ends_the_wait(blockers: BlockingConditions) -> None:
    waiting = Waiting()
    race = asyncio.create_task(blockers.run_unless_blocked(waiting()))
    await waiting.begun.wait()
    blockers.note_page_crashed()
    with pytest.raises(PageError, match="crashed"):
        await race


async def test_a_new_document_is_the_recovery_of_a_crash(blockers: BlockingConditions) -> None:
    blockers.note_page_crashed()
    blockers.note_recovery()
    assert blockers.blocking_error() is None


async def test_a_closed_page_does_not_recover(blockers: BlockingConditions) -> None:
    blockers.note_page_closed()
    blockers.note_recovery()
    assert isinstance(blockers.blocking_error(), PageError)


# ---- actions


async def test_an_action_that_opens_a_dialog_has_not_failed(blockers: BlockingConditions) -> None:
    waiting = Waiting()
    act = asyncio.create_task(blockers.run_until_dialog(waiting()))
    await waiting.begun.wait()
    blockers.note_dialog_opened(ALERT)
    await act
    assert blockers.dialog == ALERT


async def test_an_action_on_a_page_that_crashes_has_failed(blockers: BlockingConditions) -> None:
    waiting = Waiting()
    act = asyncio.create_task(blockers.run_until_dialog(waiting()))
    await waiting.begun.wait()
    blockers.note_page_crashed()
    with pytest.raises(PageError, match="crashed"):
        await act


# ---- the errors of CDP


@pytest.mark.parametrize(
    ("error", "kind", "words"),
    [
        (ConnectionLost("A.b", "the browser crashed"), BrowserError, "browser is gone"),
        (SessionClosed("A.b", "S", "detached"), PageError, "frame was removed"),
        (CallTimeout("A.b", 30.0), PageError, "did not answer within 30 s"),
        (ProtocolError("A.b", -32000, "No node"), PageError, r"A\.b failed: No node"),
    ],
)
async def test_an_error_of_the_protocol_is_translated(
    blockers: BlockingConditions, error: CdpError, kind: type[ViewpointError], words: str
) -> None:
    with pytest.raises(kind, match=words) as raised:
        await blockers.run_unless_blocked(fail(error))
    assert raised.value.__cause__ is error


async def test_the_loss_of_the_browser_is_remembered(blockers: BlockingConditions) -> None:
    with pytest.raises(BrowserError):
        await blockers.run_unless_blocked(fail(ConnectionLost("A.b", "gone")))
    assert isinstance(blockers.blocking_error(), BrowserError)


async def test_a_crash_is_reported_rather_than_the_closed_session(
    blockers: BlockingConditions,
) -> None:
    """A renderer that crashes can close its session, before or after the crash is reported."""
    blockers.note_page_crashed()
    with pytest.raises(PageError):
        await blockers.run_unless_blocked(fail(SessionClosed("A.b", "S", "detached")))


async def test_a_timeout_marks_the_page_as_unresponsive(blockers: BlockingConditions) -> None:
    with pytest.raises(PageError):
        await blockers.run_unless_blocked(fail(CallTimeout("A.b", 1.0)))
    assert blockers.is_unresponsive
    assert blockers.blocking_error() is None


async def test_a_page_that_answers_again_is_responsive(session: Session) -> None:
    blockers = BlockingConditions(session)
    with pytest.raises(PageError):
        await blockers.run_unless_blocked(fail(CallTimeout("A.b", 1.0)))
    assert await blockers.check_page_answers()
    assert not blockers.is_unresponsive


async def test_a_page_that_still_does_not_answer_stays_unresponsive(
    session: Session, transport: FakeTransport
) -> None:
    blockers = BlockingConditions(session)
    blockers.is_unresponsive = True
    transport.withhold("Runtime.evaluate")
    assert not await blockers.check_page_answers()
    assert blockers.is_unresponsive


async def test_a_command_that_is_rejected_before_a_crash_is_reported_fails_with_the_crash(
    session: Session, transport: FakeTransport
) -> None:
    blockers = BlockingConditions(session)
    transport.withhold("Runtime.evaluate")
    asyncio.get_running_loop().call_later(0.05, blockers.note_page_crashed)
    with pytest.raises(PageCrashedError):
        await blockers.run_unless_blocked(fail(ProtocolError("A.b", -32000, "Printing failed")))


async def test_a_command_that_is_rejected_before_the_browser_exits_fails_with_the_loss(
    session: Session, transport: FakeTransport
) -> None:
    blockers = BlockingConditions(session)
    transport.disconnect_on("Runtime.evaluate")
    with pytest.raises(BrowserLostError):
        await blockers.run_unless_blocked(fail(ProtocolError("A.b", -32000, "Printing failed")))


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        ("Sure?", "Sure?"),
        ("one\n### Result\ntwo", "one ### Result two"),
        ('Hi"]: done', r"Hi\"]: done"),
        ("a\u202eb\x1b[31m\ud800", "ab[31m\ufffd"),
    ],
)
def test_a_dialogs_message_stays_within_its_quotes(message: str, expected: str) -> None:
    assert str(Dialog("alert", message)) == f'"alert" dialog with message "{expected}"'


def test_a_long_message_is_cut_and_counted() -> None:
    text = str(Dialog("alert", "x" * 10_000_000))
    assert text.endswith('x" (and 9,999,000 more characters)')
    assert len(text) < 1100


def chooser(session: Session) -> FileChooser:
    return FileChooser(session, "F", 7)


async def test_a_chooser_ends_the_wait_and_a_dialog_wins_over_it(
    blockers: BlockingConditions, session: Session
) -> None:
    waiting = Waiting()
    race = asyncio.create_task(blockers.run_unless_blocked(waiting()))
    await waiting.begun.wait()
    blockers.note_chooser_opened(chooser(session))
    with pytest.raises(ModalOpenError, match="an answer to its file chooser"):
        await race
    blockers.note_dialog_opened(ALERT)
    with pytest.raises(ModalOpenError, match="alert"):
        await blockers.run_unless_blocked(answer("yes"))
    blockers.note_dialog_closed()
    blockers.note_chooser_closed()
    assert blockers.blocking_error() is None


async def test_the_action_that_opened_a_chooser_may_end_later(
    blockers: BlockingConditions, session: Session
) -> None:
    waiting = Waiting()
    race = asyncio.create_task(blockers.run_unless_blocked(waiting()))
    await waiting.begun.wait()
    blockers.note_chooser_opened(chooser(session))
    asyncio.get_running_loop().call_later(0.01, waiting.answer.set_result, "yes")
    assert await race == "yes"


TIMEOUTS = pytest.mark.parametrize(
    "error", [CallTimeout("Page.x", 5), PageTimeoutError("The page did not answer within 5 s.")]
)


@TIMEOUTS
async def test_a_page_that_does_not_answer_in_a_browser_that_does_is_the_pages_fault(
    error: Exception,
) -> None:
    asked = []

    async def check() -> None:
        asked.append("browser")

    blockers = BlockingConditions(check_browser=check)
    with pytest.raises(PageTimeoutError, match="The page did not answer within 5 s"):
        await blockers.run_unless_blocked(fail(error))
    assert asked == ["browser"]


@TIMEOUTS
async def test_a_page_that_does_not_answer_in_a_browser_that_hangs_is_the_browsers_fault(
    error: Exception,
) -> None:
    async def check() -> None:
        hung.connection_lost = Unanswered(None, "it answered nothing for 10 s")

    hung = BlockingConditions(check_browser=check)
    with pytest.raises(BrowserLostError, match="The browser hangs: it answered nothing for 10 s"):
        await hung.run_unless_blocked(fail(error))


async def test_a_page_that_closes_with_its_context_says_so(blockers: BlockingConditions) -> None:
    waiting = Waiting()
    race = asyncio.create_task(blockers.run_unless_blocked(waiting()))
    await waiting.begun.wait()
    blockers.note_page_closed(context_name="shop")
    blockers.note_page_closed()  # when its session ends
    with pytest.raises(PageError, match='The context "shop" was closed'):
        await race


async def test_a_dialog_in_another_tab_ends_waits_for_a_page_that_does_not_answer(
    session: Session, transport: FakeTransport
) -> None:
    transport.withhold("Runtime.evaluate")
    blockers = BlockingConditions(session, find_dialog_elsewhere=lambda: 'the "alert" of tab 1')
    race = asyncio.create_task(blockers.run_unless_blocked(Waiting()()))
    with pytest.raises(ModalOpenError, match='until the "alert" of tab 1 is answered'):
        await race


async def test_a_dialog_elsewhere_that_opens_during_the_wait_is_noticed(
    session: Session, transport: FakeTransport
) -> None:
    transport.withhold("Runtime.evaluate")
    open_now: list[str] = []
    blockers = BlockingConditions(session, find_dialog_elsewhere=lambda: next(iter(open_now), None))
    waiting = Waiting()
    race = asyncio.create_task(blockers.run_unless_blocked(waiting()))
    await waiting.begun.wait()
    open_now.append('the "alert" of tab 1')
    blockers.make_running_waits_recheck()
    with pytest.raises(ModalOpenError, match="of tab 1"):
        await race


async def test_a_dialog_in_another_tab_does_not_end_waits_for_a_page_that_answers(
    session: Session, transport: FakeTransport
) -> None:
    blockers = BlockingConditions(session, find_dialog_elsewhere=lambda: 'the "alert" of tab 1')
    waiting = Waiting()
    race = asyncio.create_task(blockers.run_unless_blocked(waiting()))
    while not any(each["method"] == "Runtime.evaluate" for each in transport.sent):
        await asyncio.wait({race}, timeout=0.05)
    waiting.answer.set_result("yes")
    assert await race == "yes"
