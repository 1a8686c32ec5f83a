"""The prompt: a Python console with top-level `await`."""

from __future__ import annotations

import ast
import builtins
import code
import pprint
import sys
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from types import CodeType, FunctionType
from typing import Any

from cdp_protocol.cli import output
from cdp_protocol.cli.repl.loop_thread import LoopThread
from cdp_protocol.cli.run_command import Failure, describe_error
from cdp_protocol.description import Description
from cdp_protocol.errors import CdpError

MIN_WIDTH = 80  # columns


class Console(code.InteractiveConsole):
    """A console that reads code from stdin and runs it in the thread of the event loop.

    Args:
        variables: The variables of the prompt.
        loop: Runs the code.
        description: The protocol description, for hints in error messages.
    """

    def __init__(
        self, variables: dict[str, Any], loop: LoopThread, description: Description
    ) -> None:
        super().__init__(variables)
        self.compile.compiler.flags |= ast.PyCF_ALLOW_TOP_LEVEL_AWAIT
        self._variables = variables
        self._loop = loop
        self._description = description

    def run(self, banner: str) -> None:
        """Read and run code until the end of stdin or `exit()`; show prompts only on a terminal."""
        with _pretty_printing():
            try:
                self.interact(banner=banner if sys.stdin.isatty() else "", exitmsg="")
            except SystemExit as exit_request:
                if exit_request.code not in (None, 0):
                    raise

    def raw_input(self, prompt: str = "") -> str:
        if sys.stdin.isatty():
            return super().raw_input(prompt)
        line = sys.stdin.readline()
        if not line:
            raise EOFError
        return line.rstrip("\n")

    def write(self, data: str) -> None:
        if sys.stdin.isatty() or data.strip():
            super().write(data)

    def runcode(self, code: CodeType) -> None:
        try:
            self._loop.run(FunctionType(code, self._variables))
        except (SystemExit, KeyboardInterrupt):
            raise
        except CdpError as error:
            # Without a traceback: the error names the command, and the typed line stands above it.
            self.write(f"{type(error).__name__}: {describe_error(error, self._description)}\n")
        except Failure as error:
            self.write(f"{type(error).__name__}: {error}\n")
        except BaseException as error:  # noqa: BLE001 - the prompt prints any error
            self._print_traceback(error)
        finally:
            sys.stdout.flush()

    def _print_traceback(self, error: BaseException) -> None:
        """Print an error with its traceback, which begins at the typed line."""
        traceback_start = error.__traceback__
        while (
            traceback_start is not None
            and traceback_start.tb_frame.f_code.co_filename != self.filename
        ):
            traceback_start = traceback_start.tb_next
        self.write("".join(traceback.format_exception(type(error), error, traceback_start)))


@contextmanager
def _pretty_printing() -> Iterator[None]:
    """Print dicts and lists on several lines during the block, with keys in their own order."""
    default_hook = sys.displayhook

    def print_value(value: object) -> None:
        if not isinstance(value, dict | list):
            default_hook(value)
            return
        columns = max(MIN_WIDTH, output.terminal_width() or 0)
        output.write_line(pprint.pformat(value, sort_dicts=False, width=columns))
        builtins._ = value  # type: ignore[attr-defined]  # as the display hook of Python does

    sys.displayhook = print_value
    try:
        yield
    finally:
        sys.displayhook = default_hook
