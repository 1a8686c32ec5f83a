"""What a client keeps for us between two calls, so that it can be neither changed nor used for
another call.
"""

from __future__ import annotations

import base64
import binascii
import os
from typing import Any

import orjson

from viewpoint_mcp.rpc.errors import INVALID_PARAMS, RpcError

_DIGEST = "sha256"
_SIZE = 32  # bytes of it


class Seal:
    """Signs with a key that this server alone has, for as long as it runs."""

    def __init__(self) -> None:
        self._key = os.urandom(_SIZE)

    def close(self, value: Any, about: bytes) -> str:
        """Return the value as text that `open` reads.

        Args:
            about: Which call it belongs to.
        """
        body = orjson.dumps(value)
        return base64.urlsafe_b64encode(self._sign(body, about) + body).decode("ascii")

    def open(self, text: object, about: bytes) -> Any:
        """Return the value.

        Raises:
            RpcError: It was not sealed here, or for another call.
        """
        try:
            sealed = base64.b64decode(str(text).encode(), altchars=b"-_", validate=True)
        except (binascii.Error, UnicodeEncodeError):
            sealed = b""
        import hmac  # with OpenSSL's digests a twentieth of the server's start, and rarely used

        signature, body = sealed[:_SIZE], sealed[_SIZE:]
        if not hmac.compare_digest(signature, self._sign(body, about)):
            sentence = "requestState is not what this server gave for this call. Call without it."
            raise RpcError(INVALID_PARAMS, sentence)
        return orjson.loads(body)

    def _sign(self, body: bytes, about: bytes) -> bytes:
        import hmac

        return hmac.digest(self._key, len(about).to_bytes(8, "big") + about + body, _DIGEST)
