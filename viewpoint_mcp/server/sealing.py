"""Signatures for state that a client keeps between two calls.

A client can neither change the state nor use it for another call.
"""

from __future__ import annotations

import base64
import binascii
import os
from typing import Any

import orjson

from viewpoint_mcp.rpc.errors import INVALID_PARAMS, RpcError

_DIGEST = "sha256"
_SIZE = 32  # bytes of the digest, and of the key


class Seal:
    """Signs values with a random key, which lasts as long as this object."""

    def __init__(self) -> None:
        self._key = os.urandom(_SIZE)

    def close(self, value: Any, about: bytes) -> str:
        """Return a value as signed text, which `open` reads. The text is not encrypted.

        Args:
            value: Any value that JSON can represent.
            about: Identifies the call that the value belongs to.
        """
        body = orjson.dumps(value)
        return base64.urlsafe_b64encode(self._sign(body, about) + body).decode("ascii")

    def open(self, text: object, about: bytes) -> Any:
        """Verify a signed text and return its value.

        Args:
            text: The text that the client sent.
            about: Identifies the call that the value must belong to.

        Raises:
            RpcError: The text was not signed by this object, or was signed for another call.
        """
        try:
            sealed = base64.b64decode(str(text).encode(), altchars=b"-_", validate=True)
        except (binascii.Error, UnicodeEncodeError):
            sealed = b""
        # Importing hmac loads OpenSSL: 5 % of the start time for code that rarely runs.
        import hmac

        signature, body = sealed[:_SIZE], sealed[_SIZE:]
        if not hmac.compare_digest(signature, self._sign(body, about)):
            sentence = "requestState is not what this server gave for this call. Call without it."
            raise RpcError(INVALID_PARAMS, sentence)
        return orjson.loads(body)

    def _sign(self, body: bytes, about: bytes) -> bytes:
        import hmac

        return hmac.digest(self._key, len(about).to_bytes(8, "big") + about + body, _DIGEST)
