"""A server that is fuzzed over stdio."""

from __future__ import annotations

import itertools
import json
import queue
import subprocess
import sys
import threading
from contextlib import suppress
from pathlib import Path
from typing import Any, Self

from tests.prove.fuzz.inputs import TOOLS
from tests.prove.fuzz.judging import IllegalAnswer, Line, MissingAnswer, cancels, judge, read

PATIENCE = 20  # seconds of silence after which the server counts as hanging
_MOST_LATE = 200


class FuzzedServer:
    """One server process; a context manager.

    Args:
        directory: Its working directory, also for its log.
    """

    def __init__(self, directory: Path) -> None:
        self._directory = directory
        self._numbers = itertools.count(1)

    def __enter__(self) -> Self:
        flags = ("--headless", "--isolated", "--tools", ",".join(TOOLS))
        command = [sys.executable, "-m", "viewpoint_mcp", *flags]
        with (self._directory / "stderr.txt").open("wb") as stderr:
            self.process = subprocess.Popen(
                command,
                cwd=self._directory,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=stderr,
            )
        self._heard: queue.Queue[bytes] = queue.Queue()
        self._late: list[Line] = []  # cancelled calls, which may or may not get an answer
        self._reader = threading.Thread(target=self._read)
        self._reader.start()
        return self

    def __exit__(self, *_: object) -> None:
        status = self._end()
        if status != 0:
            raise IllegalAnswer(f"The server ended with {status}.")

    def restart(self) -> None:
        """Continue with another server."""
        self._end()
        self.__enter__()

    def _end(self) -> int | None:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        with suppress(BrokenPipeError):
            self.process.stdin.close()
        try:
            return self.process.wait(PATIENCE)
        finally:
            self.process.kill()
            self._reader.join()
            self.process.stdout.close()

    def feed(self, inputs: list[bytes]) -> None:
        """Send these, and judge all output until a ping after them is answered.

        Raises:
            IllegalAnswer: The answers violate JSON-RPC.
        """
        cancelled = frozenset(each for data in inputs for each in cancels(data))
        lines = [*self._late, *(read(data, cancelled) for data in inputs)]
        ping = f"ping of the fuzzer {next(self._numbers)}"
        asked = json.dumps({"jsonrpc": "2.0", "id": ping, "method": "ping"}).encode()
        self._write(b"".join(data + b"\n" for data in [*inputs, asked]))
        answers: list[Any] = []
        pinged = False
        while True:
            try:
                late = judge(lines, answers)
            except MissingAnswer as missing:
                why = str(missing)
            else:
                if pinged:
                    break
                why = "The server is wedged: a ping is not answered."
            message = self._next(why)
            if isinstance(message, dict) and message.get("id") == ping:
                pinged = True
            elif not (isinstance(message, dict) and "method" in message and "id" not in message):
                answers.append(message)
        self._late = [line for line in late if line.answers == "either"][-_MOST_LATE:]

    def _write(self, data: bytes) -> None:
        assert self.process.stdin is not None
        try:
            self.process.stdin.write(data)
            self.process.stdin.flush()
        except BrokenPipeError:
            raise IllegalAnswer(f"The server is dead: {self.last_words()}") from None

    def _next(self, why: str) -> Any:
        try:
            line = self._heard.get(timeout=PATIENCE)
        except queue.Empty:
            raise IllegalAnswer(why) from None
        if not line:
            raise IllegalAnswer(f"The server is dead: {self.last_words()}")
        return json.loads(line)

    def last_words(self) -> str:
        """Return the end of the server's log."""
        return (self._directory / "stderr.txt").read_text(errors="replace")[-2000:]

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self._heard.put(line)
        self._heard.put(b"")
