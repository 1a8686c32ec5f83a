"""Masking of secrets and passwords in the texts of a report."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from typing import Any, Final

from viewpoint_mcp.config.secrets import Secrets
from viewpoint_mcp.tools.core.args import SECRET_ARGUMENTS

_CREDENTIALS: Final = re.compile(r"(?<=://)[^/?#@\s\"'<>\\]+(?=@)")
_VIEW_KEY: Final = re.compile(r"(?<=/view#)[\w-]{43}")
_TYPED_PLACEHOLDER: Final = re.compile(r"<secret>typed \d+</secret>")
_MASKED: Final = "<masked>"
_PASSWORD: Final = "<password>"
_HANDLE: Final = "<handle>"
_PUBLIC_SECRET_KEYS: Final = frozenset({"server", "username", "bypass"})


def mask_live_view_keys(text: str) -> str:
    """Return a text with the keys in URLs of live views masked."""
    return _VIEW_KEY.sub(_MASKED, text)


class TextMask:
    """Masks secrets, passwords that were typed, credentials in URLs, and a handle.

    Args:
        secrets: The secrets of the server.
        passwords: Texts that were typed into password fields.
        handle: The handle of a client without a session; None for none.
    """

    def __init__(
        self, secrets: Secrets, passwords: Iterable[str], *, handle: str | None = None
    ) -> None:
        self._handle = handle
        self._secrets = secrets
        self._passwords = frozenset(filter(None, passwords))
        self._typed = Secrets({f"typed {n}": text for n, text in enumerate(self._passwords)})

    def mask(self, text: str) -> str:
        """Return a text with everything masked that it must not show."""
        if self._handle is not None:
            text = text.replace(self._handle, _HANDLE)
        text = self._typed.mask(self._secrets.mask(mask_live_view_keys(text)))
        return _CREDENTIALS.sub(_MASKED, _TYPED_PLACEHOLDER.sub(_PASSWORD, text))

    def render_arguments(self, arguments: Any) -> str:
        """Return the arguments of a call as masked JSON.

        A password that is too short to be found in texts is masked where it is a whole argument.
        """
        hidden = (
            {
                key: _hide_strings(value)
                if key in SECRET_ARGUMENTS
                else self._hide_passwords(value)
                for key, value in arguments.items()
            }
            if isinstance(arguments, dict)
            else arguments
        )
        return self.mask(json.dumps(hidden or {}, indent=2, ensure_ascii=False, default=str))

    def _hide_passwords(self, value: Any) -> Any:
        if isinstance(value, str):
            return _PASSWORD if value in self._passwords else value
        if isinstance(value, dict):
            return {key: self._hide_passwords(each) for key, each in value.items()}
        if isinstance(value, list):
            return [self._hide_passwords(each) for each in value]
        return value


def _hide_strings(value: Any) -> Any:
    """Mask the texts of an argument that may contain a password, such as a proxy."""
    if isinstance(value, dict):
        return {key: each if key in _PUBLIC_SECRET_KEYS else _MASKED for key, each in value.items()}
    return value
