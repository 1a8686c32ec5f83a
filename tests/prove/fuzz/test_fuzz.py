"""A few hundred of the inputs and texts that `make fuzz` feeds a server: each reply is correct."""

from __future__ import annotations

from pathlib import Path

from tests.prove.fuzz.forgeries.rounds import fuzz_forgeries
from tests.prove.fuzz.fuzzing import fuzz_http, fuzz_stdio, fuzz_tools


def test_mutated_messages_over_stdio_are_answered_legally_and_the_server_lives(
    tmp_path: Path,
) -> None:
    fuzz_stdio(600, tmp_path)


def test_mutated_messages_over_http_are_answered_legally_and_the_server_lives(
    tmp_path: Path,
) -> None:
    fuzz_http(100, tmp_path)


def test_tools_with_generated_arguments_reply_or_give_the_reason(tmp_path: Path) -> None:
    fuzz_tools(300, tmp_path)


def test_generated_texts_of_a_page_forge_no_part_of_a_reply(tmp_path: Path) -> None:
    fuzz_forgeries(300, tmp_path)
