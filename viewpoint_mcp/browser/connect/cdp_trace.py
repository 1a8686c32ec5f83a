"""The recording of the CDP messages between the server and its browser."""

from __future__ import annotations

from pathlib import Path

from cdp_protocol.recording.masking import MessageMasker
from cdp_protocol.recording.recorder import Recorder
from cdp_protocol.sanitize.secret_value_patterns import secret_placeholder
from viewpoint_mcp.config.secrets import Secrets
from viewpoint_mcp.errors import BrowserError

TYPED_PARAMETER = "typed"
"""Parameter name for text to type in the in-page functions; the recorder masks its values."""


def open_recorder(path: Path, secrets: Secrets) -> Recorder:
    """Open a recorder that masks the configured secrets and other credentials.

    Raises:
        BrowserError: The file cannot be written.
    """
    unmasked = secrets.unmaskable_names
    shown = {
        value: secret_placeholder(name)
        for name, value in secrets.values.items()
        if name not in unmasked
    }
    try:
        return Recorder(path, MessageMasker(shown, typed_argument=TYPED_PARAMETER))
    except OSError as error:
        raise BrowserError(
            f"The trace {path} cannot be written: {error.strerror}.",
            "Pass another file with --trace-cdp, or omit it.",
        ) from error
