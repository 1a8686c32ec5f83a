"""Reading a recording, whole and hurt."""

from __future__ import annotations

import gzip
import lzma
from pathlib import Path

import pytest

from cdp_protocol.recording.file_format import (
    ConnectionEnd,
    ConnectionStart,
    RecordedHttpResponse,
    RecordedMessage,
    RecordingError,
    read_recording,
)

HEADER = b'{"cdp":1,"product":"Chrome/1","protocol":"1.3","endpoint":"ws://x","started":"now"}\n'
CALL = b'{"t":0.5,"c":0,"from":"client","message":{"id":1,"method":"A.b"}}\n'
ANSWER = b'{"t":0.7,"c":0,"from":"browser","message":{"id":1,"result":{}}}\n'


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "recording.jsonl"


def test_a_recording_is_its_header_and_its_entries_in_order(file: Path) -> None:
    file.write_bytes(
        HEADER
        + b'{"t":0.1,"http":"/json/version","status":200,"body":{"Browser":"Chrome/1"}}\n'
        + b'{"t":0.2,"c":0,"opened":"/devtools/browser/1"}\n'
        + CALL
        + ANSWER
        + b'{"t":0.8,"c":0,"from":"client","text":"hello"}\n'
        + b'{"t":0.9,"c":0,"from":"browser","closed":"it crashed"}\n'
    )

    recording = read_recording(file)

    assert recording.header.product == "Chrome/1"
    assert recording.entries == [
        RecordedHttpResponse(0.1, "/json/version", 200, {"Browser": "Chrome/1"}),
        ConnectionStart(0.2, 0, "/devtools/browser/1"),
        RecordedMessage(0.5, 0, "client", {"id": 1, "method": "A.b"}, size=len(CALL) - 1),
        RecordedMessage(0.7, 0, "browser", {"id": 1, "result": {}}, size=len(ANSWER) - 1),
        RecordedMessage(0.8, 0, "client", {}, "hello", 46),
        ConnectionEnd(0.9, 0, "browser", "it crashed"),
    ]
    assert recording.damage == ""
    assert recording.connection_numbers == [0]


def test_a_file_that_ends_within_a_line_is_read_up_to_it_and_reported(file: Path) -> None:
    file.write_bytes(HEADER + CALL + ANSWER[:-20])

    recording = read_recording(file)

    assert len(recording.entries) == 1
    assert recording.damage == "The file ends in the middle of line 3, which is skipped."


def test_a_broken_line_in_the_middle_is_named_and_no_end(file: Path) -> None:
    file.write_bytes(HEADER + b"what?\n" + CALL)

    recording = read_recording(file)

    assert (recording.unreadable_lines, len(recording.entries), recording.damage) == ([2], 1, "")


def test_lines_of_unknown_kinds_are_skipped(file: Path) -> None:
    file.write_bytes(HEADER + b'{"t":1,"c":0,"picture":"x"}\n' + CALL)

    assert len(read_recording(file).entries) == 1


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "is not a recording"),
        (b"\x00\x01binary\n", "is not a recording"),
        (b'{"log":{"entries":[]}}', "is not a recording"),
        (b"[1]\n", "is not a recording"),
        (b'{"cdp":2,"product":"x"}\n', "has format 2, but this program reads only 1"),
    ],
)
def test_a_file_that_is_no_recording_of_this_version_is_refused(
    file: Path, content: bytes, words: str
) -> None:
    file.write_bytes(content)

    with pytest.raises(RecordingError, match=words):
        read_recording(file)


@pytest.mark.parametrize("pack", [gzip.compress, lzma.compress])
def test_a_compressed_file_is_read_and_a_cut_one_up_to_there(file: Path, pack) -> None:  # type: ignore[no-untyped-def]
    file.write_bytes(pack(HEADER + CALL + ANSWER))
    assert len(read_recording(file).entries) == 2

    file.write_bytes(pack(HEADER + CALL * 20_000)[:-40])
    assert "ends in the middle" in read_recording(file).damage


def test_a_line_with_half_a_surrogate_pair_is_valid(file: Path) -> None:
    file.write_bytes(HEADER + ANSWER.replace(b'"result":{}', b'"result":{"value":"\\ud83d"}'))

    (result,) = read_recording(file).entries

    assert isinstance(result, RecordedMessage)
    assert result.message["result"] == {"value": "�"}
