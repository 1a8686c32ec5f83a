"""The versions in our directory: a new one takes its place at once, old ones go when unused."""

from __future__ import annotations

import logging
import os
import shutil
import subprocess
import sys
import tempfile
from contextlib import suppress
from pathlib import Path

from viewpoint_mcp.browser.install.places import versions

log = logging.getLogger(__name__)

_AWAY = "going-"
_UNPACKED = "unpacked-"
_LIMIT = 10.0  # seconds for ps


def room_for(place: Path) -> Path:
    """Make an empty directory to unpack into, beside where it will be kept."""
    return Path(tempfile.mkdtemp(prefix=_UNPACKED, dir=place))


def put(unpacked: Path, place: Path, version: str) -> Path:
    """Give an unpacked version its name, which is when it begins to count.

    Raises:
        OSError: It could not be renamed; what was there before is there still.
    """
    # mkdtemp made it for this user alone, which suits a home; /opt may be everybody's.
    unpacked.chmod(0o755)
    wanted = place / version
    before = _put_away(wanted) if wanted.exists() else None
    try:
        unpacked.rename(wanted)
    except OSError:
        if before is not None:
            before.rename(wanted)
        raise
    return wanted


def sweep(place: Path, keep: str | None) -> None:
    """Delete what no one uses: older versions, and what installers that died have left.

    Call it as the sole installer only.

    Args:
        keep: The version that stays; None when all stay.
    """
    old = [each for each in versions(place) if keep is not None and each.name != keep]
    for each in old:
        if not is_in_use(each):
            with suppress(OSError):  # Windows: somebody has it open
                _put_away(each)
    for pattern in (_AWAY, _UNPACKED):
        for each in place.glob(f"{pattern}*"):
            if not is_in_use(each):
                shutil.rmtree(each, ignore_errors=True)


def is_in_use(directory: Path) -> bool:
    """Whether a process runs a program of a directory. On Windows the system itself refuses to
    rename one that is.
    """
    markers = {f"{directory}{os.sep}", f"{directory.resolve()}{os.sep}"}
    if sys.platform == "win32":
        return False
    if not sys.platform.startswith("linux"):
        commands = _processes()
        return commands is None or any(marker in commands for marker in markers)
    for entry in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            command = os.fsdecode((entry / "cmdline").read_bytes())
            if any(marker in command for marker in markers):
                return True
            if str((entry / "exe").readlink()).startswith(tuple(markers)):
                return True
    return False


def _processes() -> str | None:
    try:
        told = subprocess.run(
            ["/bin/ps", "-axww", "-o", "command="],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=_LIMIT,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        log.warning("Old browsers stay, for it cannot be told what runs: %s", error)
        return None
    return told.stdout.decode(errors="replace")


def _put_away(version: Path) -> Path:
    away = Path(tempfile.mkdtemp(prefix=_AWAY, dir=version.parent))
    return version.rename(away / version.name)
