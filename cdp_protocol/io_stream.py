"""Streams of the browser (the IO domain of CDP), read in pieces."""

from __future__ import annotations

import binascii
import logging
from collections.abc import AsyncGenerator
from typing import TYPE_CHECKING

from cdp_protocol.errors import CdpError

if TYPE_CHECKING:
    from cdp_protocol.session import Session

log = logging.getLogger(__name__)

DEFAULT_PIECE_SIZE = 1 << 20  # bytes


async def read_stream(session: Session, handle: str, *, size: int) -> AsyncGenerator[bytes, None]:
    """Read a stream, and close it at its end or when the iteration stops; see `Session.read`."""
    try:
        is_at_end = False
        while not is_at_end:
            piece = await session.send("IO.read", {"handle": handle, "size": size})
            is_at_end = piece["eof"]
            data = piece["data"]
            if data:
                yield binascii.a2b_base64(data) if piece.get("base64Encoded") else data.encode()
    finally:
        try:
            await session.send("IO.close", {"handle": handle})
        except CdpError as error:
            log.debug("Cannot close the stream %s: %s", handle, error)
