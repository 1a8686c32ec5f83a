"""The interface between a connection and the channel that carries its messages."""

from __future__ import annotations

from typing import Protocol


class Transport(Protocol):
    """A channel for whole messages in both directions."""

    async def send(self, message: bytes | str) -> None:
        """Write one message, in the order of the calls, without waiting until it is read.

        Outgoing messages have no flow control: each caller waits for its response anyway.

        Raises:
            ConnectionLost: The peer is gone.
        """

    async def receive(self) -> bytes | str:
        """Wait for the next message.

        Raises:
            ConnectionLost: The peer is gone.
        """

    async def close(self) -> None:
        """Close the channel. Idempotent."""
