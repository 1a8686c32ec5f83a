"""Serves the messages of one peer: each is a task that its conversation owns.

A handler sees a method and its params and returns a result; who asked, over what, and in which
order the answers leave is settled here. Messages are begun in the order they came and end in
whatever order they end.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Coroutine
from types import TracebackType
from typing import Any, Self

from viewpoint_mcp.rpc.errors import INTERNAL_ERROR, INVALID_REQUEST, STOPPING, RpcError
from viewpoint_mcp.rpc.messages import (
    Answer,
    Batch,
    Invalid,
    Message,
    Notification,
    Params,
    Request,
    RequestId,
    Response,
    Single,
    encode,
    encode_batch,
    parse,
)

log = logging.getLogger(__name__)

Send = Callable[[bytes], None]

_PATIENCE = 2.0  # seconds that cancelled calls get to clean up


class Call:
    """One request or notification while it is served.

    Args:
        conversation: The conversation that it belongs to.
        request_id: The id of the request; None for a notification.
        send: Takes messages that go to the peer in connection with this call.
    """

    __slots__ = ("_send", "active", "conversation", "id", "task")

    def __init__(
        self, conversation: Conversation, request_id: RequestId | None, send: Send
    ) -> None:
        self.conversation = conversation
        self.id = request_id
        self.active = True
        self.task = asyncio.current_task()
        self._send = send

    def notify(self, method: str, params: dict[str, Any] | None = None) -> None:
        """Send the peer a notification; nothing is sent once the call is over or cancelled."""
        if self.active:
            self._send(encode(Notification(method, params)))


Handler = Callable[[str, Params, Call], Awaitable[Any]]


class Dispatcher:
    """Opens conversations, each with a handler of its own.

    Args:
        open_handler: Makes the handler of a new conversation, which it may keep to set `batches`
            or to cancel calls. A handler is an async callable of (method, params, call); it
            returns a result that JSON can say or raises RpcError.
    """

    def __init__(self, open_handler: Callable[[Conversation], Handler]) -> None:
        self._open_handler = open_handler

    def open(self, send: Send) -> Conversation:
        """Begin a conversation.

        Args:
            send: Takes each message for the peer, one line of JSON without its newline; it must
                neither wait nor raise.
        """
        return Conversation(self._open_handler, send)


class Conversation:
    """What goes on with one peer; closed with `close()` or as an async context manager."""

    def __init__(self, open_handler: Callable[[Conversation], Handler], send: Send) -> None:
        self.batches = False
        self._send = send
        self._handler = open_handler(self)
        self._calls: dict[RequestId, Call] = {}
        self._tasks: set[asyncio.Task[Any]] = set()
        self._closed = False
        self._stopping = False

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        await self.close()

    @property
    def busy(self) -> int:
        """How many messages are being served."""
        return len(self._tasks)

    def receive(self, data: bytes | bytearray) -> None:
        """Serve one message from the peer and send its answer; neither waits nor raises."""
        if self._closed:
            log.debug("A message after the end of the conversation is dropped.")
            return
        self._own(self._serve_and_send(parse(data)))

    def refuse(self, error: RpcError) -> None:
        """Tell the peer of a message that could not be read at all."""
        self._send(encode(Answer(None, error=error)))

    def answer(self, message: Message, send: Send) -> asyncio.Task[bytes | None]:
        """Serve one message whose answer is returned, not sent; for transports with replies.

        Args:
            message: The parsed message.
            send: Takes notifications about it.

        Returns:
            A task of this conversation; its result is None when there is nothing to answer. To
            give a call up, use `cancel`.
        """
        return self._own(self._serve(message, send))

    def cancel(self, request_id: RequestId) -> bool:
        """Give up a request; nothing more is sent for its id.

        Returns:
            Whether such a request was being served.
        """
        call = self._calls.pop(request_id, None)
        if call is None:
            return False
        call.active = False
        if call.task is not None:
            call.task.cancel()
        return True

    async def close(self, *, grace: float = 0.0) -> None:
        """Take no more messages, and answer or cancel the ones in progress. Idempotent.

        Args:
            grace: Seconds that calls in progress get to end by themselves. The others are
                cancelled, and their requests answered with an error that says so.
        """
        self._closed = True
        try:
            if self._tasks:
                await asyncio.wait(self._tasks, timeout=grace)
        finally:
            await self._cancel_all()

    async def _cancel_all(self) -> None:
        self._stopping = True
        pending = set(self._tasks)
        for task in pending:
            task.cancel()
        if pending:
            _, stuck = await asyncio.wait(pending, timeout=_PATIENCE)
            for task in stuck:
                log.warning("A cancelled call did not end: %r", task)

    def _own(self, work: Coroutine[Any, Any, Any]) -> asyncio.Task[Any]:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    async def _serve_and_send(self, message: Message) -> None:
        answer = await self._serve(message, self._send)
        if answer is not None:
            self._send(answer)

    async def _serve(self, message: Message, send: Send) -> bytes | None:
        if not isinstance(message, Batch):
            answer = await self._serve_single(message, send)
            return None if answer is None else encode(answer)
        if not self.batches:
            error = RpcError(
                INVALID_REQUEST, "Batches are not served here. Send each message by itself."
            )
            return encode(Answer(None, error=error))
        answers = await self._serve_batch(message, send)
        return encode_batch(answers) if answers else None

    async def _serve_batch(self, batch: Batch, send: Send) -> list[Answer]:
        """Serve all messages of a batch side by side; answers stand in the order of requests."""
        tasks = [asyncio.ensure_future(self._serve_single(item, send)) for item in batch.items]
        try:
            await asyncio.wait(tasks)
        except asyncio.CancelledError:
            for task in tasks:
                task.cancel()
            await asyncio.wait(tasks, timeout=_PATIENCE)
            if not self._stopping:
                raise
        finished = [task.result() for task in tasks if task.done() and not task.cancelled()]
        return [answer for answer in finished if answer is not None]

    async def _serve_single(self, message: Single, send: Send) -> Answer | None:
        match message:
            case Request():
                return await self._serve_request(message, send)
            case Notification():
                await self._serve_notification(message, send)
            case Invalid():
                return Answer(message.id, error=message.error)
            case Response():
                log.debug("An answer to nothing we asked is dropped: id %r", message.id)
        return None

    async def _serve_request(self, request: Request, send: Send) -> Answer | None:
        if request.id in self._calls:
            sentence = f"A request with the id {request.id!r} is still being served."
            return Answer(request.id, error=RpcError(INVALID_REQUEST, sentence))
        call = Call(self, request.id, send)
        self._calls[request.id] = call
        try:
            answer = await self._run(request, call)
            return answer if call.active else None
        finally:
            call.active = False
            if self._calls.get(request.id) is call:
                del self._calls[request.id]

    async def _run(self, request: Request, call: Call) -> Answer:
        try:
            return Answer(request.id, await self._handler(request.method, request.params, call))
        except RpcError as error:
            return Answer(request.id, error=error)
        except asyncio.CancelledError:
            if self._stopping or not call.active:
                sentence = "The server is stopping; the request was not finished."
                return Answer(request.id, error=RpcError(STOPPING, sentence))
            if call.task is not None and call.task.cancelling():
                raise
            log.exception("%s let a cancellation of its own escape", request.method)
        except Exception:  # the last stop for our bugs: the conversation goes on
            log.exception("%s failed", request.method)
        sentence = f"The server failed to serve {request.method}; its log says why."
        return Answer(request.id, error=RpcError(INTERNAL_ERROR, sentence))

    async def _serve_notification(self, notification: Notification, send: Send) -> None:
        try:
            call = Call(self, None, send)
            await self._handler(notification.method, notification.params, call)
        except RpcError as error:
            log.debug("The notification %s is ignored: %s", notification.method, error)
        except Exception:  # the last stop for our bugs: the conversation goes on
            log.exception("%s failed", notification.method)
