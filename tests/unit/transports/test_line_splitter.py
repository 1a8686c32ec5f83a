from __future__ import annotations

import pytest

from viewpoint_mcp.transports.line_splitter import OVERLONG, Line, LineSplitter


def split(data: bytes, size: int, limit: int = 100) -> list[Line]:
    splitter = LineSplitter(limit)
    lines: list[Line] = []
    for start in range(0, len(data), size):
        lines += splitter.feed(data[start : start + size])
    return lines + splitter.finish()


@pytest.mark.parametrize("size", [1, 2, 3, 7, 1000])
def test_lines_are_the_same_however_they_arrive(size: int) -> None:
    data = b"one\ntwo\r\n\n  \n\r\nthree\xff\n\x0c\n" + b"x" * 101 + b"\nfour"
    assert split(data, size) == [b"one", b"two", b"three\xff", b"\x0c", OVERLONG, b"four"]


@pytest.mark.parametrize("size", [1, 4, 1000])
def test_a_line_of_just_the_limit_is_kept_with_either_newline(size: int) -> None:
    assert split(b"abcd\nabcd\r\nabcd", size, limit=4) == [b"abcd"] * 3
    assert split(b"abcde\nabcde\r\nabcde", size, limit=4) == [OVERLONG] * 3


def test_an_endless_line_is_reported_once_and_not_kept() -> None:
    splitter = LineSplitter(10)
    reported = [line for _ in range(1000) for line in splitter.feed(b"x" * 8)]
    assert reported == [OVERLONG]
    assert splitter.feed(b"tail\nnext\n") == [b"next"]
    assert splitter.finish() == []
