"""Logging to stderr. Importing this module configures nothing; the command line calls `configure`.

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
_BRIEF = 100  # characters
_LOGGERS = ("viewpoint_mcp", "cdp_protocol")


def brief(told: object) -> str:
    """Return a value that a client sent as a short text on one line, for the log."""
    return reprlib.repr(told)[:_BRIEF]


def configure(level: int | str, mask: Callable[[str], str] = str) -> None:
    """Log the records of this server, and the warnings of other libraries, to stderr.

    Args:
        level: A level of `logging` for this server's records: a number, or a name in any case.
        mask: Masks the secrets in the text of each record.

    Raises:
        ValueError: The level does not exist.
    """
    handler = logging.StreamHandler()  # sys.stderr of this moment; stdout carries MCP messages
    handler.setFormatter(_Masking(_FORMAT, mask))
    handler.addFilter(_add_call)
    logging.basicConfig(level=logging.WARNING, handlers=[handler], force=True)
    logging.captureWarnings(True)
    for name in _LOGGERS:
        logging.getLogger(name).setLevel(level.upper() if isinstance(level, str) else level)


class _Masking(logging.Formatter):
    def __init__(self, form: str, mask: Callable[[str], str]) -> None:
        super().__init__(form)
        self._mask = mask

    def format(self, record: logging.LogRecord) -> str:
        return self._mask(super().format(record))


def _add_call(record: logging.LogRecord) -> bool:
    record.call = call_id.get()
    return True
