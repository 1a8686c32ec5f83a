"""The recording of what the server and its browser say to each other."""

from __future__ import annotations

from pathlib import Path

from cdp_protocol.recording.masking import Masking
from cdp_protocol.recording.recorder import Recorder
from cdp_protocol.sanitize.secrets import tag
from viewpoint_mcp.config.secrets import Secrets
from viewpoint_mcp.errors import BrowserError

TYPED = "typed"
"""What the functions that are called in pages call a text that is to be typed."""


def begin(path: Path, secrets: Secrets) -> Recorder:
    """Begin one, without the secrets and whatever else opens doors.

    Raises:
        BrowserError: The file cannot be written.
    """
    unmasked = secrets.unmasked
    shown = {value: tag(name) for name, value in secrets.values.items() if name not in unmasked}
    try:
        return Recorder(path, Masking(shown, typed=TYPED))
    except OSError as error:
        raise BrowserError(
            f"The trace {path} cannot be written: {error.strerror}.",
            "Name another file with --trace-cdp, or leave it out.",
        ) from error
