"""An event loop in a background thread, so that events arrive while the prompt waits for input.

The prompt stays in the main thread, because Ctrl+C reaches only that thread.
"""

from __future__ import annotations

import asyncio
import contextvars
import ctypes
import inspect
import signal
import threading
from collections.abc import Callable
from concurrent.futures import CancelledError, Future, wait
from types import FrameType
from typing import Any, Self

POLL_INTERVAL = 0.2  # seconds; on Windows, Ctrl+C does not interrupt an unlimited wait


class LoopThread:
    """Runs functions and coroutines in the thread of an event loop, and waits for their results."""

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._run_loop, name="cdp-repl", daemon=True)
        # All calls share one context, so context variables keep their values between two lines.
        self._context = contextvars.copy_context()
        self._task: asyncio.Task[Any] | None = None
        self._is_ending = False

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.run(self._cancel_all_tasks)
        self._is_ending = True
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    def run(self, function: Callable[[], Any]) -> Any:
        """Call a function in the loop's thread and return its result.

        If the function returns a coroutine, run the coroutine and return its result. Exceptions of
        both are raised here.

        Raises:
            KeyboardInterrupt: Ctrl+C ended the call.
        """
        result: Future[Any] = Future()
        interrupts = 0

        def on_interrupt(_number: int, _frame: FrameType | None) -> None:
            nonlocal interrupts
            interrupts += 1
            if not result.done():
                self._interrupt(is_repeated=interrupts > 1)

        # A signal handler, because Python's KeyboardInterrupt could be lost between two waits.
        previous_handler = signal.signal(signal.SIGINT, on_interrupt)
        try:
            self._loop.call_soon_threadsafe(self._start_call, function, result)
            while not result.done():
                wait([result], timeout=POLL_INTERVAL)
        finally:
            signal.signal(signal.SIGINT, previous_handler)
        try:
            return result.result()
        except CancelledError:
            if interrupts:
                raise KeyboardInterrupt from None
            raise

    def _run_loop(self) -> None:
        asyncio.set_event_loop(self._loop)
        while not self._is_ending:
            try:
                self._loop.run_forever()
            except (KeyboardInterrupt, SystemExit):
                pass  # The code that runs in the loop raised it; `run` raises it again.

    def _start_call(self, function: Callable[[], Any], result: Future[Any]) -> None:
        try:
            value = self._context.run(function)
            if not inspect.iscoroutine(value):
                result.set_result(value)
                return
            self._task = self._loop.create_task(value, context=self._context)
            self._task.add_done_callback(lambda task: self._finish_call(task, result))
        except BaseException as error:  # noqa: BLE001 - `run` raises it again
            if not result.done():
                result.set_exception(error)

    def _finish_call(self, task: asyncio.Task[Any], result: Future[Any]) -> None:
        self._task = None
        if task.cancelled():
            result.set_exception(CancelledError())
        elif (error := task.exception()) is not None:
            result.set_exception(error)
        else:
            result.set_result(task.result())

    def _interrupt(self, *, is_repeated: bool) -> None:
        """Interrupt the running call.

        The first Ctrl+C cancels a coroutine. Code that never awaits, and any code at a second
        Ctrl+C, gets a KeyboardInterrupt.
        """
        task = self._task
        if task is not None and not is_repeated:
            self._loop.call_soon_threadsafe(task.cancel)
        else:
            ident = ctypes.c_ulong(self._thread.ident or 0)
            ctypes.pythonapi.PyThreadState_SetAsyncExc(ident, ctypes.py_object(KeyboardInterrupt))

    async def _cancel_all_tasks(self) -> None:
        tasks = asyncio.all_tasks() - {asyncio.current_task()}
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
