"""Keeps the files of the server within a size, by removing the oldest of its own."""

from __future__ import annotations

import logging
from collections.abc import Iterable

from viewpoint_mcp.files.records import Records

log = logging.getLogger(__name__)


def evict(directories: Iterable[Records], limit: int, newest: tuple[Records, str]) -> None:
    """Remove the oldest files that are known until the rest is within the limit.

    What nothing is known of is somebody else's, and neither counted nor removed. What cannot be
    removed is no longer counted, lest all others go for it.

    Args:
        limit: Bytes, of all directories together.
        newest: The file that was just written, which stays in any case, and where it is.
    """
    found = [(record, name, records) for records in directories for name, record in records]
    excess = sum(record.length for record, _, _ in found) - limit
    for record, name, records in sorted(found, key=lambda each: each[0].saved):
        if excess <= 0:
            return
        if (records.directory, name) == (newest[0].directory, newest[1]):
            continue
        excess -= record.length
        try:
            records.remove(name, record)
        except OSError as error:
            log.warning("%s stays, though it is too much: %s", records.directory / name, error)
