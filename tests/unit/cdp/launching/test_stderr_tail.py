"""The tail of Chromium's stderr."""

from __future__ import annotations

from cdp_protocol.launching.stderr_tail import MAX_LINE_LENGTH, StderrTail


def test_the_address_is_found_however_the_bytes_are_cut() -> None:
    tail = StderrTail()
    line = b"noise\nDevTools listening on ws://127.0.0.1:1/devtools/browser/x\n"
    found = [tail.add_and_find_address(bytes([byte])) for byte in line]
    assert [address for address in found if address] == ["ws://127.0.0.1:1/devtools/browser/x"]
    assert str(tail) == "noise"


def test_the_address_is_found_after_output_of_another_process() -> None:
    assert (
        StderrTail().add_and_find_address(b"warning: DevTools listening on ws://x/y\n")
        == "ws://x/y"
    )


def test_the_last_lines_are_kept() -> None:
    tail = StderrTail(max_lines=2)
    tail.add_and_find_address(b"one\ntwo\nthree\nunfinished")
    assert str(tail) == "two\nthree\nunfinished"


def test_an_endless_line_needs_bounded_memory() -> None:
    tail = StderrTail()
    for _ in range(100):
        tail.add_and_find_address(b"x" * 10_000)
    assert len(str(tail)) == MAX_LINE_LENGTH


def test_bytes_that_are_not_text_are_shown_escaped() -> None:
    tail = StderrTail()
    tail.add_and_find_address(b"caf\xff\n")
    assert str(tail) == "caf�"
