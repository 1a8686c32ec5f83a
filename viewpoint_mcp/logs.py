"""Logging to stderr. The command line calls `configure_logging`; the import configures nothing.

Each record contains the id of its call, which distinguishes the records of concurrent calls.
"""

from __future__ import annotations

import logging
import reprlib
from collections.abc import Callable
from contextvars import ContextVar

# The id of the call that the current task serves; "-" outside of any call.
call_id: ContextVar[str] = ContextVar("call_id", default="-")

_FORMAT = "%(asctime)s %(levelname)-7s [%(call)s] %(name)s: %(message)s"
_MAX_VALUE_LENGTH = 100  # characters
_LOGGERS = ("viewpoint_mcp", "cdp_protocol")


def shorten_for_log(value: object) -> str:
    """Return a value that a client sent as a short text on one line, for the log."""
    return reprlib.repr(value)[:_MAX_VALUE_LENGTH]


def configure_logging(level: int | str, mask: Callable[[str], str] = str) -> None:
    """Log the records of this server, and the warnings of other libraries, to stderr.

    Args:
        level: A level of `logging` for this server's records: a number, or a name in any case.
        mask: Masks the secrets in the text of each record.

    Raises:
        ValueError: The level does not exist.
    """
    handler = logging.StreamHandler()  # sys.stderr of this moment; stdout carries MCP messages
    handler.setFormatter(_MaskingFormatter(_FORMAT, mask))
    handler.addFilter(_add_call_id)
    logging.basicConfig(level=logging.WARNING, handlers=[handler], force=True)
    logging.captureWarnings(True)
    for name in _LOGGERS:
        logging.getLogger(name).setLevel(level.upper() if isinstance(level, str) else level)


class _MaskingFormatter(logging.Formatter):
    """Masks secrets, and escapes invisible characters, which a record may contain from a page."""

    def __init__(self, log_format: str, mask: Callable[[str], str]) -> None:
        super().__init__(log_format)
        self._mask = mask

    def format(self, record: logging.LogRecord) -> str:
        return _escape_invisible(self._mask(super().format(record)))


def _escape_invisible(text: str) -> str:
    """Return a text without control sequences of a terminal and direction overrides.

    Tracebacks need line feeds. The start of a server is too short to import more than this.
    """
    if text.replace("\n", " ").isprintable():
        return text
    return "".join(
        each if each.isprintable() or each in "\n\t" else each.encode("unicode_escape").decode()
        for each in text
    )


def _add_call_id(record: logging.LogRecord) -> bool:
    record.call = call_id.get()
    return True
