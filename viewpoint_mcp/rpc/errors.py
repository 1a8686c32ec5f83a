"""JSON-RPC error codes, and the exception for error responses."""

from __future__ import annotations

from typing import Any, Final

PARSE_ERROR: Final = -32700
INVALID_REQUEST: Final = -32600
METHOD_NOT_FOUND: Final = -32601
INVALID_PARAMS: Final = -32602
INTERNAL_ERROR: Final = -32603
# The specification reserves the codes from -32099 to -32000 for implementations.
SESSION_ENDED: Final = -32000
REQUEST_REFUSED: Final = -32000


class RpcError(Exception):
    """The error of a request, sent or received in place of a result.

    Args:
        code: A code of this module, or a code that a protocol on top of JSON-RPC defines.
        message: One sentence for the peer.
        data: Further details for programs, as a JSON value; None for none.
    """

    def __init__(self, code: int, message: str, data: Any = None) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.data = data
