"""The temporary storage of a trace."""

from __future__ import annotations

import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from viewpoint_mcp.tools.tracing.trace_store import TraceStore


def test_data_is_read_as_it_was_stored() -> None:
    store = TraceStore(max_bytes=100, segment_bytes=10)
    stored = {store.append(data): data for data in (b"one", b"", b"a longer text", b"four")}
    assert {blob: store.read(blob) for blob in stored} == stored
    store.close()


def test_the_oldest_data_is_dropped_above_the_limit() -> None:
    store = TraceStore(max_bytes=30, segment_bytes=10)
    blobs = [store.append(b"0123456789") for _ in range(5)]
    assert [store.read(blob) for blob in blobs] == [None, None, *[b"0123456789"] * 3]
    store.close()


def test_a_closed_store_keeps_nothing_and_accepts_late_data() -> None:
    store = TraceStore()
    blob = store.append(b"one")
    store.close()
    store.close()
    assert store.read(blob) is None
    assert store.read(store.append(b"two")) is None


def test_threads_read_while_data_is_added() -> None:
    store = TraceStore(segment_bytes=5_000)
    blobs = [store.append(b"x" * 100 + str(number).encode()) for number in range(100)]
    with ThreadPoolExecutor(4) as threads:
        reading = [threads.submit(store.read, blob) for blob in blobs * 5]
        for number in range(500):
            store.append(str(number).encode() * 50)
        read = [each.result() for each in reading]
    assert read == [b"x" * 100 + str(number).encode() for number in range(100)] * 5
    store.close()


def test_no_file_is_visible(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    store = TraceStore()
    store.append(b"one")
    assert list(tmp_path.iterdir()) == []
    store.close()
