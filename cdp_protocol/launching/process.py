"""A launched Chromium process: its start, its debugging address, its end and the cleanup.

Chromium always gets the remote debugging pipe, even if the client connects to the port. The pipe is
the lifeline: when this program's end of it closes, Chromium exits by itself. The kernel closes that
end even if this program is killed. On Windows, a job object has the same effect (see
`windows_platform`).
"""

from __future__ import annotations

import asyncio
import logging
import os
import signal
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Self

from cdp_protocol.cancellation import wait_despite_cancellation
from cdp_protocol.connection import Connection
from cdp_protocol.errors import ConnectionLost, LaunchError
from cdp_protocol.launching.arguments import LaunchOptions, build_arguments
from cdp_protocol.launching.file_lock import FileDescriptor
from cdp_protocol.launching.launch_failure_diagnosis import make_launch_error
from cdp_protocol.launching.machine_capabilities import is_shared_memory_small
from cdp_protocol.launching.pipe_transport import PipeTransport
from cdp_protocol.launching.profile_lock import find_socket, remove_socket, reserve_profile
from cdp_protocol.launching.stderr_tail import StderrTail
from cdp_protocol.launching.temporary_profile import TemporaryProfile
from cdp_protocol.launching.windows_platform import Job

if TYPE_CHECKING:
    from cdp_protocol.recording.recorder import Recorder

log = logging.getLogger(__name__)

_STDIN, _STDOUT, _STDERR = 0, 1, 2
# The shell's stdin and stdout become Chromium's file descriptors 3 and 4. `exec` keeps the pid and
# the process group.
_LIFELINE_SCRIPT = 'exec "$0" "$@" 3<&0 4>&1 </dev/null >/dev/null'
_HAS_LIFELINE = sys.platform != "win32"
_KILL_TIMEOUT = 2.0  # seconds to wait for the exit
_STDERR_TIMEOUT = 0.5  # seconds to wait for the rest of stderr


class BrowserProcess:
    """A running Chromium with its profile. `launch` starts it, and `close` ends it.

    Attributes:
        user_data_dir: The profile directory.
        websocket_url: The WebSocket address of the browser; "" if the pipe is used.
    """

    def __init__(
        self,
        watcher: _ProcessWatcher,
        user_data_dir: Path,
        profile: TemporaryProfile | None,
        lock: FileDescriptor | None,
    ) -> None:
        self._watcher = watcher
        self._profile = profile
        self._lock = lock
        self._socket: Path | None = None
        self._closing: asyncio.Task[None] | None = None
        self.user_data_dir = user_data_dir
        self._pipe: PipeTransport | None = None
        self.websocket_url = ""

    @classmethod
    async def launch(cls, options: LaunchOptions) -> Self:
        """Start Chromium and wait until its debugging port is open or its pipe answers.

        A cancelled or failed launch leaves neither a process nor a temporary profile.

        Args:
            options: The launch options.

        Raises:
            LaunchError: Chromium cannot be started, exits at once, or does not answer within
                `options.timeout` seconds. Or the profile is in use or cannot be created.
        """
        lock = (
            await reserve_profile(options.user_data_dir)
            if options.user_data_dir is not None
            else None
        )
        profile = TemporaryProfile.create(options.prefix) if options.user_data_dir is None else None
        directory = profile.path if profile else (options.user_data_dir or Path()).absolute()
        process = cls(_ProcessWatcher(), directory, profile, lock)
        try:
            if profile and options.preferences is not None:
                profile.write_preferences(options.preferences)
            await process._start_and_wait_until_ready(options)
            process._socket = find_socket(directory)
        except BaseException:
            process._kill_process_group()
            await process.close(grace=0)
            raise
        return process

    @property
    def has_temporary_profile(self) -> bool:
        """Whether the profile is removed at the end."""
        return self._profile is not None

    @property
    def pid(self) -> int:
        """The pid of the main process, which leads its process group; 0 before the start."""
        transport = self._watcher.transport
        return transport.get_pid() if transport else 0

    @property
    def exited(self) -> asyncio.Event:
        """An event that is set when the main process has ended, for whatever reason."""
        return self._watcher.exited

    @property
    def exit_status(self) -> int | None:
        """The exit status, negative for a signal; None while the process runs."""
        transport = self._watcher.transport
        return transport.get_returncode() if transport else None

    @property
    def stderr_tail(self) -> str:
        """The last lines that Chromium wrote to its stderr."""
        return str(self._watcher.stderr)

    async def close(self, *, grace: float = 3.0) -> None:
        """End Chromium with all its processes, and remove a temporary profile. Idempotent.

        Close the lifeline, wait for the exit, then kill the remaining processes. A cancellation of
        the caller does not stop this. Send `Browser.close` first for a clean shutdown.

        Args:
            grace: Seconds to wait until Chromium exits by itself.
        """
        if self._closing is None:
            self._closing = asyncio.create_task(self._shut_down(grace))
        await wait_despite_cancellation(self._closing)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def connect(self, timeout: float, *, recorder: Recorder | None = None) -> Connection:
        """Connect to the browser. Over the pipe, only one connection is possible.

        Args:
            timeout: Limit in seconds for opening the connection, and the default limit of a call.
            recorder: Records all messages of the connection; None for no recording.

        Raises:
            CdpError: The browser does not answer.
        """
        if self._pipe is None:
            return await Connection.open(self.websocket_url, timeout=timeout, recorder=recorder)
        return await Connection.from_transport(self._pipe, timeout=timeout, recorder=recorder)

    async def _wait_until_pipe_answers(self) -> None:
        """Send a command on the pipe and wait for its response: then Chromium is ready."""
        pipe = self._pipe = PipeTransport(self._watcher.write_to_pipe)
        self._watcher.on_pipe_data = pipe.feed
        self._watcher.on_pipe_end = pipe.end_input
        try:
            await pipe.send('{"id":0,"method":"Browser.getVersion"}')
            await pipe.receive()
        except ConnectionLost:
            await self.exited.wait()
            raise _ExitedAtOnceError from None

    async def _start_and_wait_until_ready(self, options: LaunchOptions) -> None:
        watcher = self._watcher
        try:
            async with asyncio.timeout(options.timeout):
                command = _build_launch_command(options, self.user_data_dir)
                await _spawn_process(watcher, command, options.environment)
                if options.by_pipe:
                    await self._wait_until_pipe_answers()
                else:
                    self.websocket_url = await watcher.debugging_address
        except TimeoutError:
            what = "answer on its pipe" if options.by_pipe else "open its debugging port"
            reason = f"did not {what} within {options.timeout:g} s"
            raise self._make_launch_error(options, reason) from None
        except OSError as error:
            raise self._make_launch_error(options, f"could not be started ({error})") from error
        except _ExitedAtOnceError:
            await _wait_for_event(_STDERR_TIMEOUT, watcher.stderr_closed)
            reason = f"exited at once with status {self.exit_status}"
            raise self._make_launch_error(options, reason) from None

    def _make_launch_error(self, options: LaunchOptions, reason: str) -> LaunchError:
        return make_launch_error(str(options.executable), reason, self.stderr_tail)

    async def _shut_down(self, grace: float) -> None:
        try:
            if self._watcher.transport is not None:
                await self._end_process(self._watcher.transport, grace)
        finally:
            self._kill_process_group()
            # A Chromium that is killed while it exits has removed its link to the socket already.
            remove_socket(self._socket)
            if self._lock is not None:
                os.close(self._lock)
            if self._profile is not None:
                await self._profile.remove()

    async def _end_process(self, transport: asyncio.SubprocessTransport, grace: float) -> None:
        try:
            if (lifeline := self._watcher.get_pipe(_STDIN)) is not None:
                lifeline.close()
            if not await _wait_for_event(grace, self.exited) and grace:
                log.warning("Chromium (pid %s) did not exit in %g s; killing it", self.pid, grace)
            self._kill_process_group()
            if not await _wait_for_event(_KILL_TIMEOUT, self.exited):
                log.error("Chromium (pid %s) did not exit after it was killed", self.pid)
        finally:
            transport.close()

    def _kill_process_group(self) -> None:
        """Kill the browser and every child that is in its group, if there are any left."""
        transport = self._watcher.transport
        if transport is None:
            return
        if sys.platform == "win32":
            if self._watcher.job is not None:
                self._watcher.job.close()
            elif not self.exited.is_set():
                transport.kill()
            return
        try:
            os.killpg(transport.get_pid(), signal.SIGKILL)
        except (ProcessLookupError, PermissionError):
            # No process is left. macOS reports "not permitted" for a group of zombies.
            return


class _ExitedAtOnceError(Exception):
    """The process exited before it reported its debugging address."""


class _ProcessWatcher(asyncio.SubprocessProtocol):
    """Receives the output and the exit of the process.

    It uses callbacks of the event loop instead of reader tasks. So no task must be cancelled, and
    Chromium never blocks on a full pipe.
    """

    def __init__(self) -> None:
        self.transport: asyncio.SubprocessTransport | None = None
        self.job: Job | None = None
        self.stderr = StderrTail()
        self.stderr_closed = asyncio.Event()
        self.exited = asyncio.Event()
        self.debugging_address: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        self.on_pipe_data: Callable[[bytes], None] | None = None
        self.on_pipe_end: Callable[[], None] | None = None

    def write_to_pipe(self, data: bytes) -> None:
        """Write to the remote debugging pipe.

        Raises:
            ConnectionError: The pipe is closed.
        """
        pipe = self.get_pipe(_STDIN)
        if not isinstance(pipe, asyncio.WriteTransport) or pipe.is_closing():
            raise ConnectionError("the pipe to the browser is closed")
        pipe.write(data)

    def get_pipe(self, fd: int) -> asyncio.BaseTransport | None:
        return self.transport.get_pipe_transport(fd) if self.transport else None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.SubprocessTransport)
        self.transport = transport
        if sys.platform == "win32":
            self.job = Job.create_for_process(transport.get_pid())

    def pipe_data_received(self, fd: int, data: bytes) -> None:
        if fd == _STDOUT:
            if self.on_pipe_data is not None:
                self.on_pipe_data(data)
            return
        address = self.stderr.add_and_find_address(data)
        if address is not None and not self.debugging_address.done():
            self.debugging_address.set_result(address)

    def pipe_connection_lost(self, fd: int, exc: Exception | None) -> None:
        if fd == _STDERR:
            self.stderr_closed.set()
        if fd == _STDOUT and self.on_pipe_end is not None:
            self.on_pipe_end()

    def process_exited(self) -> None:
        self.exited.set()
        if not self.debugging_address.done():
            self.debugging_address.set_exception(_ExitedAtOnceError())
            # Marks the exception as retrieved: a launch that failed earlier never awaits the
            # address.
            self.debugging_address.exception()


def _build_launch_command(options: LaunchOptions, user_data_dir: Path) -> list[str]:
    arguments = build_arguments(
        options,
        user_data_dir,
        has_pipe=_HAS_LIFELINE,
        has_small_shared_memory=is_shared_memory_small(),
    )
    command = [str(options.executable), *arguments]
    return ["/bin/sh", "-c", _LIFELINE_SCRIPT, *command] if _HAS_LIFELINE else command


async def _spawn_process(
    watcher: _ProcessWatcher, command: list[str], environment: Mapping[str, str] | None
) -> None:
    stream = asyncio.subprocess.PIPE if _HAS_LIFELINE else asyncio.subprocess.DEVNULL
    await asyncio.get_running_loop().subprocess_exec(
        lambda: watcher,
        *command,
        stdin=stream,
        stdout=stream,
        stderr=asyncio.subprocess.PIPE,
        start_new_session=True,
        env=environment,
    )


async def _wait_for_event(seconds: float, event: asyncio.Event) -> bool:
    try:
        await asyncio.wait_for(event.wait(), seconds)
    except TimeoutError:
        return event.is_set()
    return True
