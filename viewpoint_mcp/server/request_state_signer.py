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

_DIGEST_NAME = "sha256"
_DIGEST_SIZE = 32  # bytes of the digest, and of the key


class RequestStateSigner:
    """Signs values with a random key, which lasts as long as this object."""

    def __init__(self) -> None:
        self._key = os.urandom(_DIGEST_SIZE)

    def sign(self, value: Any, call_identity: bytes) -> str:
        """Return a value as signed text, which `verify` reads. The text is not encrypted.

        Args:
            value: Any value that JSON can represent.
            call_identity: Identifies the call that the value belongs to.
        """
        body = orjson.dumps(value)
        return base64.urlsafe_b64encode(self._compute_signature(body, call_identity) + body).decode(
            "ascii"
        )

    def verify(self, text: object, call_identity: bytes) -> Any:
        """Verify a signed text and return its value.

        Args:
            text: The text that the client sent.
            call_identity: Identifies the call that the value must belong to.

        Raises:
            RpcError: The text was not signed by this object, or was signed for another call.
        """
        try:
            decoded = base64.b64decode(str(text).encode(), altchars=b"-_", validate=True)
        except (binascii.Error, UnicodeEncodeError):
            decoded = b""
        # Importing hmac loads OpenSSL: 5 % of the start time for code that rarely runs.
        import hmac

        signature, body = decoded[:_DIGEST_SIZE], decoded[_DIGEST_SIZE:]
        if not hmac.compare_digest(signature, self._compute_signature(body, call_identity)):
            sentence = "requestState is not valid for this call. Call without it."
            raise RpcError(INVALID_PARAMS, sentence)
        return orjson.loads(body)

    def _compute_signature(self, body: bytes, call_identity: bytes) -> bytes:
        import hmac

        return hmac.digest(
            self._key, len(call_identity).to_bytes(8, "big") + call_identity + body, _DIGEST_NAME
        )
