"""Dispatcher of JSON-RPC messages to a handler.

A `Conversation` serves the messages of one peer, each in a separate task. Its handler receives a
method with its params and returns the result. The conversation builds and sends the responses.
Tasks start in the order in which the messages arrive, and may finish in any order.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Coroutine
from typing import Any, Protocol, Self, TypeVar

from viewpoint_mcp.rpc.errors import INTERNAL_ERROR, INVALID_REQUEST, SESSION_ENDED, RpcError
from viewpoint_mcp.rpc.messages import (
    Batch,
    InvalidMessage,
    JsonObject,
    Message,
    Notification,
    Params,
    PeerResponse,
    Request,
    RequestId,
    Response,
    SingleMessage,
    encode_message,
    encode_responses,
    parse_message,
)
from viewpoint_mcp.rpc.pending_requests import PendingRequests

log = logging.getLogger(__name__)

T = TypeVar("T")
Send = Callable[[bytes], None]
Responses = Response | list[Response] | None
"""The response to a message: a list for a batch, None if no response is due."""

_CANCEL_TIMEOUT = 2.0  # seconds for cancelled calls to clean up


class Call:
    """A request or notification while it is served.

    Args:
        conversation: The conversation that received it.
        request_id: The id of the request; None for a notification.
        send: Sends an encoded message about this call to the peer.

    Attributes:
        is_active: False after the response or a cancellation; always True for a notification.
        task: The task that serves the call.
    """

    __slots__ = ("_send", "conversation", "id", "is_active", "task")

    def __init__(
        self, conversation: Conversation, request_id: RequestId | None, send: Send
    ) -> None:
        self.conversation = conversation
        self.id = request_id
        self.is_active = True
        self.task = asyncio.current_task()
        self._send = send

    def send_notification(self, method: str, params: JsonObject | None = None) -> None:
        """Send a notification to the peer. Do nothing once the call is no longer active."""
        if self.is_active:
            self._send(encode_message(Notification(method, params)))

    async def send_request(
        self,
        method: str,
        params: JsonObject | None = None,
        *,
        make_cancellation: Callable[[RequestId], Notification] | None = None,
    ) -> Any:
        """Send a request to the peer in connection with this call, and return the result.

        Wait without a time limit.

        Args:
            make_cancellation: Returns the notification for the peer if the wait is cancelled, for
                the id of the request. None for no notification.

        Raises:
            RpcError: The peer responds with an error.
        """
        with self.conversation.pending_requests.register_request() as (request_id, result):
            self._send(encode_message(Request(request_id, method, params)))
            try:
                return await result
            except asyncio.CancelledError:
                if make_cancellation is not None and self.is_active:
                    self._send(encode_message(make_cancellation(request_id)))
                raise


class Handler(Protocol):
    """The interface that serves the requests and notifications of one peer."""

    async def handle(self, method: str, params: Params, call: Call) -> Any:
        """Serve a request or a notification.

        Returns:
            The result, a JSON value. It is ignored for a notification.

        Raises:
            RpcError: The peer receives this error instead of a result. For a notification, it is
                only logged.
        """

    async def close(self) -> None:
        """Release the resources of this peer. Called once, after all calls have ended."""


class Dispatcher:
    """Opens a conversation for each peer, with a new handler.

    Args:
        open_handler: Creates the handler of a new conversation. The handler may keep the
            conversation to set `can_receive_batches` and `unbatchable_methods` or to cancel calls.
    """

    def __init__(self, open_handler: Callable[[Conversation], Handler]) -> None:
        self._open_handler = open_handler

    def open(self, send: Send) -> Conversation:
        """Open a conversation with a new peer.

        Args:
            send: Sends a message to the peer, one line of JSON without a newline. It must neither
                block nor raise.
        """
        return Conversation(self._open_handler, send)


class Conversation:
    """The exchange of messages with one peer.

    Close it with `close()`, or use it as an async context manager.

    Attributes:
        can_receive_batches: Whether batches are served.
        unbatchable_methods: Methods that a batch must not contain.
        pending_requests: Requests to the peer that wait for a response.
        last_active_at: When the last message or other work ended, in seconds of the event loop.
    """

    def __init__(self, open_handler: Callable[[Conversation], Handler], send: Send) -> None:
        self.can_receive_batches = False
        self.unbatchable_methods: frozenset[str] = frozenset()
        self.pending_requests = PendingRequests()
        self._send = send
        self._handler = open_handler(self)
        self._calls: dict[RequestId, Call] = {}
        self._tasks: set[asyncio.Task[Any]] = set()
        self._is_closed = False
        self._is_stopping = False
        self.last_active_at = asyncio.get_running_loop().time()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    @property
    def active_message_count(self) -> int:
        """Number of messages that are being served."""
        return len(self._tasks)

    def receive(self, data: bytes | bytearray) -> None:
        """Start to serve a message from the peer, and send the response when it is done.

        Neither block nor raise. Drop the message if the conversation is closed.
        """
        self.receive_message(parse_message(data))

    def receive_message(self, message: Message) -> None:
        """Start to serve a parsed message; see `receive`."""
        if self._is_closed:
            log.debug("Dropped a message: the conversation has ended.")
            return
        self._start_task(self._serve_and_send(message))

    def send_notification(self, method: str, params: JsonObject | None = None) -> None:
        """Send a notification that belongs to no call. Do nothing in a closed conversation."""
        if not self._is_closed:
            self._send(encode_message(Notification(method, params)))

    def send_error(self, error: RpcError) -> None:
        """Send an error without an id, for a message that could not be read."""
        self._send(encode_message(Response(None, error=error)))

    def start_serving(self, message: Message, send: Send) -> asyncio.Task[Responses]:
        """Start to serve a message, and return the task that produces the response.

        For transports that send each response in reply to its message, such as HTTP.

        Args:
            message: The parsed message.
            send: Sends notifications and requests about this message.

        Returns:
            A task that the conversation owns. Its result is None after `cancel`. `close` may
            cancel the task before it starts.
        """
        return self._start_task(self._serve(message, send))

    async def run(self, work: Coroutine[Any, Any, T]) -> T:
        """Run work that belongs to the conversation, but to no message of the peer.

        Like a message, it keeps the conversation in use, and ends with it.

        Raises:
            RpcError: The conversation was closed before the work was done.
        """
        ended = RpcError(SESSION_ENDED, "The session has ended.")
        if self._is_closed:
            work.close()
            raise ended
        task: asyncio.Task[T] = self._start_task(work)
        try:
            return await task
        except asyncio.CancelledError:
            current = asyncio.current_task()
            if current is None or current.cancelling() or not self._is_closed:
                raise
            raise ended from None

    def cancel(self, request_id: RequestId) -> bool:
        """Cancel a request. It gets no response and sends no further notifications.

        Returns:
            Whether a request with this id was being served.
        """
        call = self._calls.pop(request_id, None)
        if call is None:
            return False
        call.is_active = False
        if call.task is not None:
            call.task.cancel()
        return True

    async def close(self, *, grace: float = 0.0) -> None:
        """Stop receiving, end the calls in progress, and close the handler. Idempotent.

        Args:
            grace: Seconds for calls in progress to finish. The remaining calls are cancelled, and
                their requests get an error that says that the session has ended.
        """
        was_closed, self._is_closed = self._is_closed, True
        try:
            if self._tasks:
                await asyncio.wait(self._tasks, timeout=grace)
        finally:
            await self._cancel_all()
            if not was_closed:
                await self._handler.close()

    async def _cancel_all(self) -> None:
        self._is_stopping = True
        pending = set(self._tasks)
        for task in pending:
            task.cancel()
        if pending:
            _, stuck = await asyncio.wait(pending, timeout=_CANCEL_TIMEOUT)
            for task in stuck:
                log.warning("A cancelled call did not end: %r", task)

    def _start_task(self, work: Coroutine[Any, Any, Any]) -> asyncio.Task[Any]:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._note_done)
        return task

    def _note_done(self, task: asyncio.Task[Any]) -> None:
        self._tasks.discard(task)
        self.last_active_at = task.get_loop().time()

    async def _serve_and_send(self, message: Message) -> None:
        responses = await self._serve(message, self._send)
        if responses is not None:
            self._send(encode_responses(responses))

    async def _serve(self, message: Message, send: Send) -> Responses:
        if not isinstance(message, Batch):
            return await self._serve_single(message, send)
        if not self.can_receive_batches:
            error = RpcError(
                INVALID_REQUEST, "This server accepts no batches. Send each message separately."
            )
            return Response(None, error=error)
        return await self._serve_batch(message, send) or None

    async def _serve_batch(self, batch: Batch, send: Send) -> list[Response]:
        """Serve all messages of a batch concurrently. Responses keep the order of the requests."""
        items = [self._refuse_if_not_allowed_in_batch(item) for item in batch.items]
        tasks = [asyncio.ensure_future(self._serve_single(item, send)) for item in items]
        try:
            await asyncio.wait(tasks)
        except asyncio.CancelledError:
            for task in tasks:
                task.cancel()
            await asyncio.wait(tasks, timeout=_CANCEL_TIMEOUT)
            if not self._is_stopping:
                raise
        finished = [task.result() for task in tasks if task.done() and not task.cancelled()]
        return [response for response in finished if response is not None]

    def _refuse_if_not_allowed_in_batch(self, item: SingleMessage) -> SingleMessage:
        if not isinstance(item, Request) or item.method not in self.unbatchable_methods:
            return item
        sentence = f"{item.method} is not allowed in a batch. Send it separately."
        return InvalidMessage(RpcError(INVALID_REQUEST, sentence), item.id)

    async def _serve_single(self, message: SingleMessage, send: Send) -> Response | None:
        match message:
            case Request():
                return await self._serve_request(message, send)
            case Notification():
                await self._serve_notification(message, send)
            case InvalidMessage():
                return Response(message.id, error=message.error)
            case PeerResponse():
                if not self.pending_requests.pass_response_to_waiting_request(message):
                    log.debug("Dropped a response without a request: id %.100r", message.id)
        return None

    async def _serve_request(self, request: Request, send: Send) -> Response | None:
        if request.id in self._calls:
            sentence = f"The id {request.id!r} belongs to a request in progress."
            return Response(request.id, error=RpcError(INVALID_REQUEST, sentence))
        call = Call(self, request.id, send)
        self._calls[request.id] = call
        try:
            response = await self._call_handler(request, call)
            return response if call.is_active else None
        finally:
            call.is_active = False
            if self._calls.get(request.id) is call:
                del self._calls[request.id]

    async def _call_handler(self, request: Request, call: Call) -> Response:
        try:
            return Response(
                request.id, await self._handler.handle(request.method, request.params, call)
            )
        except RpcError as error:
            return Response(request.id, error=error)
        except asyncio.CancelledError:
            if self._is_stopping or not call.is_active:
                sentence = "The request was cancelled, because its session has ended."
                return Response(request.id, error=RpcError(SESSION_ENDED, sentence))
            if call.task is not None and call.task.cancelling():
                raise
            log.exception("%s raised CancelledError without being cancelled", request.method)
        except Exception:  # a bug of the handler must not end the conversation
            log.exception("%s failed", request.method)
        sentence = f"The server failed to serve {request.method}. See its log."
        return Response(request.id, error=RpcError(INTERNAL_ERROR, sentence))

    async def _serve_notification(self, notification: Notification, send: Send) -> None:
        try:
            call = Call(self, None, send)
            await self._handler.handle(notification.method, notification.params, call)
        except RpcError as error:
            log.debug("Ignored the notification %.100r: %r", notification.method, error)
        except Exception:  # a bug of the handler must not end the conversation
            log.exception("%s failed", notification.method)
