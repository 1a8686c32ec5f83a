"""Requests to the peer that wait for a response. Does no I/O."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from viewpoint_mcp.rpc.messages import PeerResponse, RequestId


class PendingRequests:
    """The requests to one peer that wait for a response."""

    def __init__(self) -> None:
        self._numbers = itertools.count(1)
        self._futures: dict[RequestId, asyncio.Future[Any]] = {}

    @contextmanager
    def register_request(self) -> Iterator[tuple[RequestId, asyncio.Future[Any]]]:
        """Yield the id for a new request and the future of its result.

        The future raises the `RpcError` of a response with an error. On exit the request is
        removed, and its future is cancelled if no response came.
        """
        # The id is a string, so that logs distinguish it from the numeric ids of the peer.
        request_id = f"asked-{next(self._numbers)}"
        self._futures[request_id] = asyncio.get_running_loop().create_future()
        try:
            yield request_id, self._futures[request_id]
        finally:
            self._futures.pop(request_id).cancel()

    def pass_response_to_waiting_request(self, response: PeerResponse) -> bool:
        """Resolve the future of the request that a response belongs to.

        Returns:
            Whether a request was waiting for this response.
        """
        future = None if response.id is None else self._futures.get(response.id)
        if future is None or future.done():
            return False
        if response.error is not None:
            future.set_exception(response.error)
        else:
            future.set_result(response.result)
        return True
