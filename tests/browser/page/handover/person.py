"""A person at the window of a browser: presses the buttons of the notice with the real mouse."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import Any

from cdp_protocol import CdpError, Session


class Person:
    """Sees and uses the notice of one tab. No script of the page takes part.

    Args:
        session: CDP session of the tab.
    """

    def __init__(self, session: Session) -> None:
        self._session = session

    async def read_notice(self) -> str:
        """Return the text of the notice; "" if there is none."""
        notice = await self._find_notice()
        return "" if notice is None else " ".join(_texts(notice))

    async def wait_for_notice(self) -> str:
        """Wait until the notice is there, and return its text."""
        async with asyncio.timeout(15):
            while not (text := await self.read_notice()):  # noqa: ASYNC110 - no event
                await asyncio.sleep(0.02)
        return text

    async def find(self, label: str) -> tuple[float, float]:
        """Wait for the notice, and return the centre of a button of it, or of its field ("input").

        A navigation removes the notice for a moment.
        """
        async with asyncio.timeout(15):
            while True:
                with suppress(CdpError):
                    notice = await self._find_notice()
                    for node in [] if notice is None else _walk(notice):
                        names = (node["nodeName"].lower(), *_texts(node))
                        if node["nodeName"] in ("BUTTON", "INPUT") and label in names:
                            return await self._measure(node)
                await asyncio.sleep(0.02)

    async def _measure(self, node: Mapping[str, Any]) -> tuple[float, float]:
        box = await self._session.DOM.getBoxModel(backendNodeId=node["backendNodeId"])
        xs, ys = box["model"]["content"][::2], box["model"]["content"][1::2]
        return sum(xs) / 4, sum(ys) / 4

    async def press(self, label: str) -> None:
        """Press a button of the notice, or its field."""
        x, y = await self.find(label)
        await self.click(x, y)

    async def click(self, x: float, y: float) -> None:
        """Click at a point of the viewport."""
        for kind in ("mousePressed", "mouseReleased"):
            params = {"type": kind, "x": x, "y": y, "button": "left", "clickCount": 1}
            await self._session.send("Input.dispatchMouseEvent", params)

    async def type(self, text: str) -> None:
        """Type a text into what has the focus."""
        for letter in text:
            for kind in ("keyDown", "keyUp"):
                params = {"type": kind, "key": letter, "text": letter if kind == "keyDown" else ""}
                await self._session.send("Input.dispatchKeyEvent", params)

    async def run(self, expression: str) -> object:
        """Do with the page what a person does by sight, such as finding a field."""
        answer = await self._session.Runtime.evaluate(expression=expression, userGesture=True)
        return answer["result"].get("value")

    async def _find_notice(self) -> Mapping[str, Any] | None:
        try:
            document = await self._session.send("DOM.getDocument", {"depth": -1, "pierce": True})
        except CdpError:
            return None
        nodes = _walk(document["root"])
        return next((each for each in nodes if each["nodeName"] == "VIEWPOINT-NOTICE"), None)


def _walk(node: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    yield node
    for child in (*node.get("shadowRoots", ()), *node.get("children", ())):
        yield from _walk(child)


def _texts(node: Mapping[str, Any]) -> list[str]:
    if node["nodeName"] == "STYLE":
        return []
    own = [node["nodeValue"]] if node["nodeName"] == "#text" else []
    children = (*node.get("shadowRoots", ()), *node.get("children", ()))
    return [*own, *(text for child in children for text in _texts(child))]
