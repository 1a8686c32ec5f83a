"""The stdio transport of MCP, with one message on each line."""

from __future__ import annotations

import asyncio
import logging
import os
from typing import Literal, NamedTuple

from viewpoint_mcp.rpc.dispatcher import Conversation, Dispatcher
from viewpoint_mcp.rpc.errors import INVALID_REQUEST, RpcError
from viewpoint_mcp.transports.line_splitter import OVERLONG, Line, LineSplitter
from viewpoint_mcp.transports.pipe_threads import PipeReader, PipeWriter

log = logging.getLogger(__name__)

MAX_LINE_SIZE = 16 * 1024 * 1024
_MAX_QUEUED = 64 * 1024 * 1024

ClosedSide = Literal["stdin", "stdout"]
"""The stream of the server that the client closed first."""


class StdioPipes(NamedTuple):
    """The descriptors that carry the protocol. No other code uses them."""

    stdin: int
    stdout: int


def claim_stdio() -> StdioPipes:
    """Move stdin and stdout to new descriptors, which only the protocol uses.

    Afterwards descriptor 0 is empty and descriptor 1 is stderr. So a `print` in any library cannot
    corrupt the protocol, and a child process cannot read from it.
    """
    pipes = StdioPipes(os.dup(0), os.dup(1))
    null_device = os.open(os.devnull, os.O_RDONLY)
    os.dup2(null_device, 0)
    os.close(null_device)
    os.dup2(2, 1)
    return pipes


class StdioTransport:
    """Serves one client over a pair of descriptors.

    Args:
        dispatcher: Opens the conversation that serves the messages.
        pipes: The descriptors for input and output; both are closed at the end.
        max_line_size: Maximum size of a message in bytes. A longer message gets an error.
        grace: Seconds that calls in progress get to finish when the client has closed its output.
        flush_timeout: Seconds to wait for a client that does not read its last responses.
    """

    def __init__(
        self,
        dispatcher: Dispatcher,
        pipes: StdioPipes,
        *,
        max_line_size: int = MAX_LINE_SIZE,
        grace: float = 2.0,
        flush_timeout: float = 1.0,
    ) -> None:
        self._dispatcher = dispatcher
        self._pipes = pipes
        self._max_line_size = max_line_size
        self._grace = grace
        self._flush_timeout = flush_timeout

    async def serve(self) -> None:
        """Serve until the client closes one side.

        If the client closed its output, the calls in progress get `grace` seconds to finish. Else
        they are cancelled at once.
        """
        reader = PipeReader(self._pipes.stdin)
        writer = PipeWriter(self._pipes.stdout, max_queued=_MAX_QUEUED)
        conversation = self._dispatcher.open(lambda message: writer.write(message + b"\n"))
        grace = 0.0
        try:
            if await self._serve_until_side_closes(reader, writer, conversation) == "stdin":
                grace = self._grace
        finally:
            reader.stop()
            try:
                await conversation.close(grace=grace)
            finally:
                if not await writer.close_within(timeout=self._flush_timeout):
                    log.warning("The client does not read. Its last responses are dropped.")

    async def _serve_until_side_closes(
        self, reader: PipeReader, writer: PipeWriter, conversation: Conversation
    ) -> ClosedSide:
        """Serve until the client closes one side, and return it.

        After "stdin" the client may still read responses.
        """
        reading = asyncio.create_task(self._receive(reader, writer, conversation))
        ending = asyncio.create_task(writer.wait_until_ended())
        try:
            await asyncio.wait({reading, ending}, return_when=asyncio.FIRST_COMPLETED)
            side: ClosedSide = "stdout" if ending.done() else "stdin"
            log.debug("The client closed the server's %s.", side)
            return side
        finally:
            for task in (reading, ending):
                task.cancel()
            await asyncio.wait({reading, ending})
            if not reading.cancelled():
                reading.result()

    async def _receive(
        self, reader: PipeReader, writer: PipeWriter, conversation: Conversation
    ) -> None:
        splitter = LineSplitter(self._max_line_size)
        async for chunk in reader.read_chunks():
            for line in splitter.feed(chunk):
                self._receive_line(line, conversation)
            await writer.wait_for_room()
        for line in splitter.finish():
            self._receive_line(line, conversation)

    def _receive_line(self, line: Line, conversation: Conversation) -> None:
        if line == OVERLONG:
            sentence = f"The message is longer than {self._max_line_size} bytes and was skipped."
            conversation.send_error(RpcError(INVALID_REQUEST, sentence))
        elif isinstance(line, bytes):
            conversation.receive(line)
