"""One-line mouse actions at points, and pages that record mouse events."""

from __future__ import annotations

from typing import Any

from tests.browser.page.agent import Agent
from viewpoint_mcp.input.mouse import Button
from viewpoint_mcp.page.actions.hit.hit_test import Point

BARE = "<style>body { margin: 0 } .b { position: absolute; width: 100px; height: 60px }</style>"
NOTED = """<script>window.seen = [];
for (const type of ['mousedown', 'mouseup', 'click', 'dblclick', 'auxclick', 'contextmenu'])
  addEventListener(type, e => { seen.push(type + e.button + '/' + e.detail);
    if (type === 'contextmenu') e.preventDefault() });
addEventListener('mousemove', e => { window.at = [e.clientX, e.clientY, e.buttons].join() })
</script>"""
SEEN = "seen.join(' ')"


async def click(agent: Agent, x: float, y: float, **how: Any) -> str:
    """Click and settle; return the element at the point."""
    async with agent.page.settle_afterwards():
        spot = await agent.page.mouse.click(x, y, **how)
    return spot.label


async def move(agent: Agent, x: float, y: float) -> str:
    async with agent.page.settle_afterwards():
        return (await agent.page.mouse.move(x, y)).label


async def drag(agent: Agent, start: Point, end: Point) -> None:
    async with agent.page.settle_afterwards():
        await agent.page.mouse.drag(start, end)


async def down(agent: Agent, button: Button = "left") -> None:
    async with agent.page.settle_afterwards():
        await agent.page.mouse.down(button)


async def up(agent: Agent, button: Button = "left") -> bool:
    """Release the button; return whether a drop was refused."""
    async with agent.page.settle_afterwards():
        return (await agent.page.mouse.up(button))[1].is_refused


async def wheel(agent: Agent, x: float, y: float) -> str:
    """Turn the wheel; return the element that scrolled."""
    async with agent.page.settle_afterwards():
        return (await agent.page.mouse.wheel(x, y)).partition(": ")[2]
