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

from cdp_protocol.launching.executable import is_executable
from viewpoint_mcp.browser.connect.executable import FLAG, VARIABLES, find_executable
from viewpoint_mcp.browser.install import fetch, places, releases, versions
from viewpoint_mcp.browser.install.checking import LibrariesMissing, try_start, version_of
from viewpoint_mcp.browser.install.lock import sole_installer
from viewpoint_mcp.browser.install.releases import Release, by_hand
from viewpoint_mcp.browser.install.stopping import Stop, run
from viewpoint_mcp.browser.install.unpack import BrokenArchive, unpack
from viewpoint_mcp.config.settings import Settings
from viewpoint_mcp.errors import BrowserError

log = logging.getLogger(__name__)

_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
_UNPACKED_IS_LARGER = 3.5  # than the archive; both exist at the same time


@dataclass(frozen=True, slots=True)
class Progress:
    """The current step of an installation.

    Args:
        words: A sentence without its full stop.
        done: Bytes received; 0 for a step without a count.
        total: Total bytes; None if unknown.
    """

    words: str
    done: int = 0
    total: int | None = None

    def __str__(self) -> str:
        if not self.done:
            return self.words
        of = f" of {self.total / 1e6:.0f}" if self.total else ""
        return f"{self.words}: {self.done / 1e6:.0f}{of} MB"


Tell = Callable[[Progress], None]
"""Callback for progress, called from any thread."""


async def install(
    settings: Settings, environ: Mapping[str, str], tell: Tell, *, force: bool = False
) -> str:
    """Install a browser unless a usable one exists, and describe the result.

    Args:
        tell: Called with the progress, from any thread.
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
    named = _named(settings, environ)
    if not force and (ready := await _ready(settings, environ, named)) is not None:
        return ready
    if settings.channel == "msedge":
        raise BrowserError(
            "What can be installed is Chrome for Testing, and --browser msedge asks for Edge.",
            "Install Edge yourself, or leave --browser out.",
        )
    told = await _Installation(settings, environ, tell).run(force=force)
    if named is not None:
        told += f"\nIt is not used as long as {named} names another browser."
    return told


def _named(settings: Settings, environ: Mapping[str, str]) -> str | None:
    """Return the flag or environment variable that names an executable; None if none does."""
    if settings.executable is not None:
        return FLAG
    return next((name for name in VARIABLES if environ.get(name)), None)


async def _ready(settings: Settings, environ: Mapping[str, str], named: str | None) -> str | None:
    """Describe the browser that would be started; return None if none is usable.

    Raises:
        BrowserError: The browser does not run, and an installed one would not be used or not run
            either.
    """
    try:
        found = find_executable(settings.executable, settings.channel, environ)
    except BrowserError:
        if named is not None:
            raise
        return None
    try:
        version = await version_of(found)
    except BrowserError as error:
        if named is not None or isinstance(error, LibrariesMissing):
            raise
        log.warning("%s", error)
        return None
    by = f" (named by {named})" if named else ""
    return f"The browser is ready: {found}, version {version}{by}."


class _Installation:
    """One installation, from the list of versions to the installed browser."""

    def __init__(self, settings: Settings, environ: Mapping[str, str], tell: Tell) -> None:
        self._settings = settings
        self._environ = environ
        self._tell = tell
        self._stop = Stop()
        self._waited = False
        place = places.directory(environ, sys.platform)
        if place is None:
            raise BrowserError(
                "There is no home directory to install a browser in.",
                f"Set {places.DIRECTORY_VARIABLE} to a directory.",
            )
        self._place = place

    async def run(self, *, force: bool) -> str:
        """Install the browser; return sentences that describe it.

        Args:
            force: Install even if another process has installed a browser.
        """
        target = releases.target_of(sys.platform, platform.machine())
        with ExitStack() as held, self._translated():
            await run(lambda: self._begin(held), self._stop)
            if self._waited or not force:
                # Another process may have installed it meanwhile.
                installed = places.find_installed(self._environ, sys.platform, is_executable)
                if installed is not None and (version := await _runs(installed)):
                    return f"The browser is ready: {installed}, version {version}."
            release, unpacked = await run(lambda: self._unpacked(target), self._stop)
            try:
                executable = places.executable_in(unpacked, target)
                self._tell(Progress("Checking that it starts"))
                version, note = await self._checked(executable)
                kept = await run(lambda: self._put(unpacked, release), self._stop)
            finally:
                await run(lambda: shutil.rmtree(unpacked, ignore_errors=True), Stop())
            told = f"Installed Chrome for Testing {version}: {places.executable_in(kept, target)}."
            return f"{told}\n{note}" if note else told

    async def _checked(self, executable: Path) -> tuple[str, str]:
        try:
            return (
                await version_of(executable),
                await try_start(executable, self._settings.sandbox),
            )
        except BrowserError as error:
            raise BrowserError(
                f"Chrome for Testing was downloaded, but does not start here. {error.message}",
                f"{error.hint or ''}\nThe next try needs no download.".strip(),
            ) from error

    def _begin(self, held: ExitStack) -> None:
        self._place.mkdir(parents=True, exist_ok=True)
        held.enter_context(sole_installer(self._place, self._stop, self._tell_of_waiting))
        versions.sweep(self._place, keep=None)

    def _tell_of_waiting(self, holder: str) -> None:
        self._waited = True
        self._tell(Progress(f"Waiting for process {holder}, which installs a browser just now"))

    def _unpacked(self, target: str) -> tuple[Release, Path]:
        """Download and unpack the newest version.

        A broken archive that was assembled from several parts is downloaded again.
        """
        mirror = releases.mirror_of(self._environ)
        self._tell(Progress("Looking for the newest version"))
        data = fetch.document(releases.list_url(mirror), self._stop)
        release = releases.read_list(data, target, mirror)
        archive = self._place / f"chrome-{target}.zip.part"
        while True:
            in_parts = self._download(release, archive)
            self._tell(Progress(f"Unpacking Chrome for Testing {release.version}"))
            unpacked = versions.room_for(self._place)
            try:
                unpack(archive, unpacked, self._stop)
                if not is_executable(str(places.executable_in(unpacked, target))):
                    raise BrokenArchive("there is no Chrome in it")
            except BrokenArchive as error:
                fetch.forget(archive)
                shutil.rmtree(unpacked, ignore_errors=True)
                if not in_parts:
                    raise BrowserError(
                        f"{release.url} is not a whole archive: {error}.",
                        f"Try again, or from another {releases.HOST_VARIABLE}. {by_hand()}",
                    ) from error
            except BaseException:
                shutil.rmtree(unpacked, ignore_errors=True)
                raise
            else:
                return release, unpacked

    def _download(self, release: Release, archive: Path) -> bool:
        words = f"Downloading Chrome for Testing {release.version}"
        self._tell(Progress(words))
        checked = False

        def tell(done: int, total: int | None) -> None:
            nonlocal checked
            if not checked and total is not None:
                checked = True
                needed = int(total * (1 + _UNPACKED_IS_LARGER)) - done
                if (free := shutil.disk_usage(self._place).free) < needed:
                    raise OSError(errno.ENOSPC, f"{needed >> 20} MB are needed, {free >> 20} free")
            self._tell(Progress(words, done, total))

        return fetch.download(release.url, archive, self._stop, tell)

    def _put(self, unpacked: Path, release: Release) -> Path:
        if versions.is_in_use(self._place / release.version):
            raise BrowserError(
                f"Chrome for Testing {release.version} is installed already, and runs.",
                "Close it before it is installed again.",
            )
        kept = versions.put(unpacked, self._place, release.version)
        for each in self._place.glob("chrome-*.zip.part"):
            fetch.forget(each)
        versions.sweep(self._place, keep=release.version)
        return kept

    @contextmanager
    def _translated(self) -> Iterator[None]:
        """Translate download and file errors into `BrowserError`."""
        try:
            yield
        except fetch.FetchFailed as error:
            raise BrowserError(
                f"The browser could not be downloaded: {error}.",
                "What came is kept, and continued by the next try. Check the network, HTTPS_PROXY "
                f"and {releases.HOST_VARIABLE}, which names a mirror. {by_hand()}",
            ) from error
        except OSError as error:
            if error.errno in _FULL:
                for each in self._place.glob("chrome-*.zip.part"):
                    fetch.forget(each)
                raise BrowserError(
                    f"The disk is full, so no browser could be installed in {self._place}: "
                    f"{error.strerror}.",
                    f"Make room, or name another directory with {places.DIRECTORY_VARIABLE}.",
                ) from error
            raise BrowserError(
                f"No browser can be installed in {self._place}: {error}.",
                f"Name a directory that can be written to with {places.DIRECTORY_VARIABLE}.",
            ) from error


async def _runs(executable: Path) -> str | None:
    try:
        return await version_of(executable)
    except BrowserError:
        return None
