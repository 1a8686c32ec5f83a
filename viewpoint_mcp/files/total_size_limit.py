"""Size limit for the server's files: deletion of the oldest ones."""

from __future__ import annotations

import logging
from collections.abc import Iterable

from viewpoint_mcp.files.records import FileRecords

log = logging.getLogger(__name__)


def delete_oldest_files(
    records_of_directories: Iterable[FileRecords], limit: int, newest: tuple[FileRecords, str]
) -> None:
    """Delete the oldest files with a record until the total size is within the limit.

    Files without a record belong to others and do not count. A file that cannot be deleted counts
    as deleted, so that it does not cause the deletion of all others.

    Args:
        records_of_directories: The records of the directories.
        limit: The maximum total size in bytes of all directories together.
        newest: The records and the name of the file that was just written. It is never deleted.
    """
    files = [
        (record, name, records) for records in records_of_directories for name, record in records
    ]
    excess = sum(record.length for record, _, _ in files) - limit
    for record, name, records in sorted(files, key=lambda each: each[0].saved):
        if excess <= 0:
            return
        if (records.directory, name) == (newest[0].directory, newest[1]):
            continue
        excess -= record.length
        try:
            records.delete_file(name, record)
        except OSError as error:
            log.warning("Cannot delete %s to free space: %s", records.directory / name, error)
