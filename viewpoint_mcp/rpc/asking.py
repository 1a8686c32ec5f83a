"""What the peer was asked, and who waits for the answer. Does no I/O."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from viewpoint_mcp.rpc.messages import RequestId, Response


class Asked:
    """The open requests to one peer."""

    def __init__(self) -> None:
        self._numbers = itertools.count(1)
        self._waiting: dict[RequestId, asyncio.Future[Any]] = {}

    @contextmanager
    def question(self) -> Iterator[tuple[RequestId, asyncio.Future[Any]]]:
        """Yield the id for a request and the future of its answer; forgotten at the end."""
        # Not a number, so that no log mixes it up with one of the peer's.
        request_id = f"asked-{next(self._numbers)}"
        self._waiting[request_id] = asyncio.get_running_loop().create_future()
        try:
            yield request_id, self._waiting[request_id]
        finally:
            self._waiting.pop(request_id).cancel()

    def settle(self, response: Response) -> bool:
        """Give an answer to whoever waits for it.

        Returns:
            Whether somebody does.
        """
        waiting = None if response.id is None else self._waiting.get(response.id)
        if waiting is None or waiting.done():
            return False
        if response.error is not None:
            waiting.set_exception(response.error)
        else:
            waiting.set_result(response.result)
        return True
