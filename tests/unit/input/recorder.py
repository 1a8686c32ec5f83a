"""A fake CDP session that records the commands and answers them on request."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any


class Recorder:
    """Takes commands as a session does.

    Args:
        answers: Whether it answers at once; else when `answer` is called.
    """

    def __init__(self, *, answers: bool = True) -> None:
        self.sent: list[tuple[str, Mapping[str, Any]]] = []
        self._answering = asyncio.Event()
        if answers:
            self._answering.set()

    async def send(self, method: str, params: Mapping[str, Any], /) -> dict[str, Any]:
        self.sent.append((method, params))
        await self._answering.wait()
        if params.get("type") == self.failing:
            raise RuntimeError("refused")
        return {}

    failing = "nothing"

    def answer(self) -> None:
        """Answer everything from now on."""
        self._answering.set()

    def types(self) -> list[str]:
        """Return the type of each event, or the method of other commands."""
        return [str(params.get("type", method)) for method, params in self.sent]

    def values(self, name: str) -> list[Any]:
        """Return one parameter of each event."""
        return [params.get(name) for _, params in self.sent]
