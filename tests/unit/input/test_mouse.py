"""Commands that the mouse sends to the browser."""

from __future__ import annotations

import asyncio

import pytest

from tests.unit.input.recorder import Recorder
from viewpoint_mcp.input import Modifier, Mouse


async def give_up(act: asyncio.Task[None]) -> None:
    act.cancel()
    with pytest.raises(asyncio.CancelledError):
        await act


async def test_a_click_is_a_move_a_press_and_a_release() -> None:
    session = Recorder()
    await Mouse(session).click(10, 20)
    assert session.types() == ["mouseMoved", "mousePressed", "mouseReleased"]
    assert session.values("clickCount") == [None, 1, 1]
    assert session.values("buttons") == [0, 1, 0]
    assert set(session.values("x")) == {10}


async def test_a_double_click_counts_its_clicks() -> None:
    session = Recorder()
    await Mouse(session).click(1, 1, click_count=2)
    assert session.values("clickCount") == [None, 1, 1, 2, 2]


async def test_a_click_carries_its_button_and_modifiers() -> None:
    session = Recorder()
    await Mouse(session).click(1, 1, button="right", modifiers=Modifier.CONTROL)
    assert session.values("button") == ["none", "right", "right"]
    assert session.values("modifiers") == [2, 2, 2]


async def test_a_click_is_written_whole_before_anything_is_answered() -> None:
    session = Recorder(answers=False)
    click = asyncio.create_task(Mouse(session).click(1, 1))
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    assert len(session.sent) == 3
    assert not click.done()
    session.answer()
    await click


async def test_a_click_cancelled_halfway_still_releases_the_button() -> None:
    session = Recorder(answers=False)
    mouse = Mouse(session)
    click = asyncio.create_task(mouse.click(1, 1))
    await asyncio.sleep(0)
    await give_up(click)
    await asyncio.sleep(0)
    assert session.types()[-1] == "mouseReleased"
    await mouse.cancel_unanswered_calls()


async def test_a_refused_event_fails_the_click() -> None:
    session = Recorder()
    session.failing = "mousePressed"
    with pytest.raises(RuntimeError, match="refused"):
        await Mouse(session).click(1, 1)


async def test_a_move_in_steps_follows_the_line_and_names_the_pressed_button() -> None:
    session = Recorder()
    mouse = Mouse(session)
    await mouse.down()
    await mouse.move(30, 60, steps=3)
    assert session.values("x") == [0, 10, 20, 30]
    assert session.values("y") == [0, 20, 40, 60]
    assert session.values("button") == ["left"] * 4


async def test_buttons_pressed_together_are_sent_together() -> None:
    session = Recorder()
    mouse = Mouse(session)
    await mouse.down(button="left")
    await mouse.down(button="right")
    await mouse.up(button="left")
    assert session.values("buttons") == [1, 3, 2]


async def test_releasing_all_releases_every_pressed_button() -> None:
    session = Recorder()
    mouse = Mouse(session)
    await mouse.down(button="left")
    await mouse.down(button="middle")
    mouse.release_all()
    await asyncio.sleep(0)
    assert session.values("buttons") == [1, 5, 4, 0]


async def test_releasing_all_without_pressed_buttons_sends_nothing() -> None:
    session = Recorder()
    Mouse(session).release_all()
    await asyncio.sleep(0)
    assert session.sent == []


async def test_the_wheel_turns_where_the_pointer_is() -> None:
    session = Recorder()
    mouse = Mouse(session)
    await mouse.move(5, 6)
    await mouse.wheel(0, 120)
    params = session.sent[-1][1]
    assert (params["type"], params["x"], params["y"]) == ("mouseWheel", 5, 6)
    assert (params["deltaX"], params["deltaY"]) == (0, 120)


async def test_close_cancels_commands_of_a_cancelled_click_that_have_no_answer() -> None:
    before = asyncio.all_tasks()
    mouse = Mouse(Recorder(answers=False))
    click = asyncio.create_task(mouse.click(1, 1))
    await asyncio.sleep(0)
    await give_up(click)
    await mouse.cancel_unanswered_calls()
    assert asyncio.all_tasks() == before
