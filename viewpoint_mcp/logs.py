"""Logging to stderr. Nothing is configured on import; the command line calls `configure`.

Each record carries the id of the call it belongs to, so that calls running side by side can be
told apart.
"""

from __future__ import annotations

import logging
import reprlib
from collections.abc import Callable
from contextvars import ContextVar

# What the running task works on, as the log shows it; "-" outside of any call.
call_id: ContextVar[str] = ContextVar("call_id", default="-")

_FORMAT = "%(asctime)s %(levelname)-7s [%(call)s] %(name)s: %(message)s"
_BRIEF = 100  # characters
_LOGGERS = ("viewpoint_mcp", "cdp_protocol")


def brief(told: object) -> str:
    """Return what a client told as it may stand in the log: short, and all of it in one line."""
    return reprlib.repr(told)[:_BRIEF]


def configure(level: int | str, mask: Callable[[str], str] = str) -> None:
    """Send our loggers, and warnings of everything else, to stderr.

    Args:
        level: A level of `logging`, as a number or a name such as "INFO" in any case.
        mask: Makes of a record's text what is written.

    Raises:
        ValueError: There is no such level.
    """
    handler = logging.StreamHandler()  # the stderr of this moment, never stdout
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
