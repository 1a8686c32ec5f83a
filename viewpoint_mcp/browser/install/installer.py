"""Installation of Chrome for Testing, unless a usable browser exists."""

from __future__ import annotations

import errno
import logging
import platform
import shutil
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from cdp_protocol.launching.executable import is_executable
from viewpoint_mcp.browser.connect.executable import (
    EXECUTABLE_FLAG,
    EXECUTABLE_VARIABLES,
    INSTALLABLE_CHANNELS,
    find_executable,
)
from viewpoint_mcp.browser.install import (
    http_download,
    installed_browser_lookup,
    releases,
    version_replacement,
)
from viewpoint_mcp.browser.install.browser_check import (
    MissingLibrariesError,
    read_version,
    try_start_for_sandbox_note,
)
from viewpoint_mcp.browser.install.install_lock import hold_install_lock
from viewpoint_mcp.browser.install.releases import MANUAL_INSTALL, Release
from viewpoint_mcp.browser.install.stoppable_thread import StopFlag, run_in_thread
from viewpoint_mcp.browser.install.unpack import BrokenArchiveError, unpack_zip
from viewpoint_mcp.config.settings import Settings
from viewpoint_mcp.errors import BrowserError

log = logging.getLogger(__name__)

_DISK_FULL_ERRORS = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
_UNPACKED_SIZE_FACTOR = 3.5  # than the archive; both exist at the same time


@dataclass(frozen=True, slots=True)
class Progress:
    """The current step of an installation.

    Args:
        step: A sentence without its full stop.
        done: Bytes received; 0 for a step without a count.
        total: Total bytes; None if unknown.
    """

    step: str
    done: int = 0
    total: int | None = None

    def __str__(self) -> str:
        if not self.done:
            return self.step
        of = f" of {self.total / 1e6:.0f}" if self.total else ""
        return f"{self.step}: {self.done / 1e6:.0f}{of} MB"


ReportProgress = Callable[[Progress], None]
"""Callback for progress, called from any thread."""


async def install_browser(
    settings: Settings, environ: Mapping[str, str], report: ReportProgress, *, force: bool = False
) -> str:
    """Install a browser unless a usable one exists, and describe the result.

    Args:
        report: Called with the progress, from any thread.
        force: Download the newest stable version even if a browser exists.

    Returns:
        Sentences that name the browser and its version.

    Raises:
        BrowserError: No usable browser exists and none could be installed.
    """
    if settings.should_attach:
        return (
            "Nothing to install: this server attaches to a running browser (--cdp-endpoint or "
            "--auto-connect)."
        )
    named = _find_executable_setting(settings, environ)
    if (
        not force
        and (ready := await _describe_usable_browser(settings, environ, named)) is not None
    ):
        return ready
    if settings.channel not in INSTALLABLE_CHANNELS:
        raise BrowserError(
            f"Only Chrome for Testing can be installed, but --browser is {settings.channel}.",
            "Install that browser yourself, or omit --browser.",
        )
    description = await _Installation(settings, environ, report).install(force=force)
    if named is not None:
        description += f"\nIt is not used while {named} names another browser."
    return description


def _find_executable_setting(settings: Settings, environ: Mapping[str, str]) -> str | None:
    """Return the flag or environment variable that names an executable; None if none does."""
    if settings.executable is not None:
        return EXECUTABLE_FLAG
    return next((name for name in EXECUTABLE_VARIABLES if environ.get(name)), None)


async def _describe_usable_browser(
    settings: Settings, environ: Mapping[str, str], executable_setting: str | None
) -> str | None:
    """Describe the browser that would be started; return None if none is usable.

    Raises:
        BrowserError: The browser does not run, and an installed one would not be used or not run
            either.
    """
    try:
        found = find_executable(settings.executable, settings.channel, environ)
    except BrowserError:
        if executable_setting is not None:
            raise
        return None
    try:
        version = await read_version(found)
    except BrowserError as error:
        if executable_setting is not None or isinstance(error, MissingLibrariesError):
            raise
        log.warning("%s", error)
        return None
    by = f" (named by {executable_setting})" if executable_setting else ""
    return f"The browser is ready: {found}, version {version}{by}."


class _CheckedExecutable(NamedTuple):
    """The version of an executable that starts; a note if it needs --no-sandbox, else ""."""

    version: str
    sandbox_note: str


class _Installation:
    """One installation, from the list of versions to the installed browser."""

    def __init__(
        self, settings: Settings, environ: Mapping[str, str], report: ReportProgress
    ) -> None:
        self._settings = settings
        self._environ = environ
        self._report = report
        self._stop = StopFlag()
        self._has_waited = False
        directory = installed_browser_lookup.get_browsers_directory(environ, sys.platform)
        if directory is None:
            raise BrowserError(
                "There is no home directory to install a browser in.",
                f"Set {installed_browser_lookup.DIRECTORY_VARIABLE} to a directory.",
            )
        self._directory = directory

    async def install(self, *, force: bool) -> str:
        """Install the browser; return sentences that describe it.

        Args:
            force: Install even if another process has installed a browser.
        """
        target = releases.get_platform_name(sys.platform, platform.machine())
        with ExitStack() as held, self._translate_errors():
            await run_in_thread(lambda: self._acquire_lock(held), self._stop)
            if self._has_waited or not force:
                # Another process may have installed it meanwhile.
                installed = installed_browser_lookup.find_installed_browser(
                    self._environ, sys.platform, is_executable
                )
                if installed is not None and (version := await _read_version_or_none(installed)):
                    return f"The browser is ready: {installed}, version {version}."
            release, unpacked = await run_in_thread(
                lambda: self._download_and_unpack(target), self._stop
            )
            try:
                executable = installed_browser_lookup.get_executable_path(unpacked, target)
                self._report(Progress("Checking that it starts"))
                version, sandbox_note = await self._start_executable_for_test(executable)
                kept = await run_in_thread(
                    lambda: self._replace_older_versions(unpacked, release), self._stop
                )
            finally:
                await run_in_thread(lambda: shutil.rmtree(unpacked, ignore_errors=True), StopFlag())
            path = installed_browser_lookup.get_executable_path(kept, target)
            text = f"Installed Chrome for Testing {version}: {path}."
            return f"{text}\n{sandbox_note}" if sandbox_note else text

    async def _start_executable_for_test(self, executable: Path) -> _CheckedExecutable:
        try:
            return _CheckedExecutable(
                await read_version(executable),
                await try_start_for_sandbox_note(executable, self._settings.sandbox),
            )
        except BrowserError as error:
            raise BrowserError(
                f"Chrome for Testing was downloaded, but does not start here. {error.message}",
                f"{error.hint or ''}\nThe next attempt needs no download.".strip(),
            ) from error

    def _acquire_lock(self, exit_stack: ExitStack) -> None:
        self._directory.mkdir(parents=True, exist_ok=True)
        exit_stack.enter_context(
            hold_install_lock(self._directory, self._stop, self._report_waiting)
        )
        version_replacement.delete_old_versions(self._directory, kept_version=None)

    def _report_waiting(self, holder: str) -> None:
        self._has_waited = True
        self._report(Progress(f"Waiting for process {holder}, which is installing a browser"))

    def _download_and_unpack(self, platform_name: str) -> tuple[Release, Path]:
        """Download and unpack the newest version.

        A broken archive that was assembled from several parts is downloaded again.
        """
        mirror = releases.read_mirror(self._environ)
        self._report(Progress("Looking for the newest version"))
        data = http_download.download_document(releases.get_list_url(mirror), self._stop)
        release = releases.parse_release(data, platform_name, mirror)
        archive = self._directory / f"chrome-{platform_name}.zip.part"
        while True:
            download = self._download_archive(release, archive)
            self._report(Progress(f"Unpacking Chrome for Testing {release.version}"))
            unpacked = version_replacement.make_unpack_directory(self._directory)
            try:
                unpack_zip(archive, unpacked, self._stop)
                if not is_executable(
                    str(installed_browser_lookup.get_executable_path(unpacked, platform_name))
                ):
                    raise BrokenArchiveError("it contains no Chrome")
            except BrokenArchiveError as error:
                http_download.delete_partial_download(archive)
                shutil.rmtree(unpacked, ignore_errors=True)
                if not download.was_assembled_from_parts:
                    raise BrowserError(
                        f"{release.url} is not a complete archive: {error}.",
                        f"Try again, or from another {releases.HOST_VARIABLE}. {MANUAL_INSTALL}",
                    ) from error
            except BaseException:
                shutil.rmtree(unpacked, ignore_errors=True)
                raise
            else:
                return release, unpacked

    def _download_archive(self, release: Release, archive: Path) -> http_download.DownloadResult:
        words = f"Downloading Chrome for Testing {release.version}"
        self._report(Progress(words))
        checked = False

        def check_space_and_report(done: int, total: int | None) -> None:
            nonlocal checked
            if not checked and total is not None:
                checked = True
                needed = int(total * (1 + _UNPACKED_SIZE_FACTOR)) - done
                if (free := shutil.disk_usage(self._directory).free) < needed:
                    raise OSError(errno.ENOSPC, f"{needed >> 20} MB are needed, {free >> 20} free")
            self._report(Progress(words, done, total))

        return http_download.download_file(release.url, archive, self._stop, check_space_and_report)

    def _replace_older_versions(self, unpacked: Path, release: Release) -> Path:
        if version_replacement.is_in_use(self._directory / release.version):
            raise BrowserError(
                f"Chrome for Testing {release.version} is already installed and running.",
                "Close it, then install again.",
            )
        kept = version_replacement.install_version(unpacked, self._directory, release.version)
        for archive in self._directory.glob("chrome-*.zip.part"):
            http_download.delete_partial_download(archive)
        version_replacement.delete_old_versions(self._directory, kept_version=release.version)
        return kept

    @contextmanager
    def _translate_errors(self) -> Iterator[None]:
        """Translate download and file errors into `BrowserError`."""
        try:
            yield
        except http_download.DownloadError as error:
            raise BrowserError(
                f"The browser could not be downloaded: {error}.",
                "The next attempt resumes the download. Check the network, HTTPS_PROXY and the "
                f"mirror in {releases.HOST_VARIABLE}. {MANUAL_INSTALL}",
            ) from error
        except OSError as error:
            if error.errno in _DISK_FULL_ERRORS:
                for archive in self._directory.glob("chrome-*.zip.part"):
                    http_download.delete_partial_download(archive)
                raise BrowserError(
                    f"The disk is full, so no browser could be installed in {self._directory}: "
                    f"{error.strerror}.",
                    f"Free some space, or set {installed_browser_lookup.DIRECTORY_VARIABLE}.",
                ) from error
            raise BrowserError(
                f"No browser can be installed in {self._directory}: {error}.",
                f"Set {installed_browser_lookup.DIRECTORY_VARIABLE} to a writable directory.",
            ) from error


async def _read_version_or_none(executable: Path) -> str | None:
    try:
        return await read_version(executable)
    except BrowserError:
        return None
