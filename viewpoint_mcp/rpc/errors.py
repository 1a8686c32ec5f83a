"""JSON-RPC error codes, and the error that becomes an error answer."""

from __future__ import annotations

from typing import Any, Final

PARSE_ERROR: Final = -32700
INVALID_REQUEST: Final = -32600
METHOD_NOT_FOUND: Final = -32601
INVALID_PARAMS: Final = -32602
INTERNAL_ERROR: Final = -32603
# From the range that the specification leaves to implementations.
STOPPING: Final = -32000
REFUSED: Final = -32000


class RpcError(Exception):
    """A request that gets an error instead of a result.

    Args:
        code: One of the codes above, or one that a protocol on top defines.
        message: One sentence for the peer.
        data: More for a program to read, as JSON.
    """

    def __init__(self, code: int, message: str, data: Any = None) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.data = data
