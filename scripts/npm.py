"""Packages of the npm registry (or the one in NPM_CONFIG_REGISTRY), each verified by its pinned
digest. Their scripts are not run.

    python scripts/npm.py DIRECTORY...

unpacks the packages in the `package-lock.json` of each directory into `.npm/`, which is not
committed. It works like `npm ci --ignore-scripts`, but without npm. Of packages for one platform it
takes those for this one.
"""

from __future__ import annotations

import base64
import hashlib
import io
import json
import os
import platform
import shutil
import sys
import tarfile
import tempfile
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

REGISTRY = "https://registry.npmjs.org"
TIMEOUT = 60  # seconds without an answer
AT_ONCE = 8
MACHINES = {"x86_64": "x64", "amd64": "x64", "aarch64": "arm64", "arm64": "arm64"}
STAMP = ".installed"
UNPACKED = Path(__file__).resolve().parent.parent / ".npm"


class FetchFailed(Exception):
    """A package could not be fetched; the message has the reason."""


@dataclass(frozen=True, slots=True)
class Archive:
    """One version of a package, and the digest of its archive.

    Args:
        name: With its scope, if it has one.
        digest: Hexadecimal.
        algorithm: That of the digest, as hashlib calls it.
    """

    name: str
    version: str
    digest: str
    algorithm: str

    def fetch(self, directory: Path) -> None:
        """Download, verify and unpack it; the directory appears only when it is whole.

        Raises:
            FetchFailed: The registry does not answer, or the archive is another one.
        """
        registry = os.environ.get("NPM_CONFIG_REGISTRY", REGISTRY).rstrip("/")
        file = f"{self.name.rpartition('/')[2]}-{self.version}.tgz"
        url = f"{registry}/{self.name}/-/{file}"
        try:
            with urllib.request.urlopen(url, timeout=TIMEOUT) as answer:
                archive = answer.read()
        except OSError as error:
            raise FetchFailed(f"{url} cannot be fetched: {error}") from error
        found = hashlib.new(self.algorithm, archive).hexdigest()
        if found != self.digest:
            raise FetchFailed(f"{url} is not what was pinned: its {self.algorithm} is {found}")
        unpack(archive, directory)


def unpack(archive: bytes, directory: Path) -> None:
    """Unpack the one directory of an archive under another name."""
    directory.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=directory.parent) as scratch:
        with tarfile.open(fileobj=io.BytesIO(archive)) as tar:
            if hasattr(tarfile, "data_filter"):  # missing in early releases of Python 3.11
                tar.extraction_filter = tarfile.data_filter
            tar.extractall(scratch)
        (root,) = Path(scratch).iterdir()
        root.rename(directory)


def modules(directory: Path) -> Path:
    """Return the directory of the packages that the lock of a directory pins."""
    return UNPACKED / directory.name / "node_modules"


def install(directory: Path) -> None:
    """Install all packages that the lock of a directory pins; do nothing if they are installed.

    Raises:
        FetchFailed: A package could not be fetched.
    """
    lock = (directory / "package-lock.json").read_text()
    root = modules(directory)
    stamp = root / STAMP
    if stamp.is_file() and stamp.read_text() == lock:
        return
    shutil.rmtree(root, ignore_errors=True)
    wanted = [
        (path, archive_of(path, pinned))
        for path, pinned in json.loads(lock)["packages"].items()
        if path and is_for_here(pinned)
    ]
    print(f"Fetching {len(wanted)} packages of npm for {directory}", file=sys.stderr)
    # A package may hold others: the outer ones first, for each appears as a whole.
    for depth in sorted({path.count("node_modules/") for path, _ in wanted}):
        level = [each for each in wanted if each[0].count("node_modules/") == depth]
        with ThreadPoolExecutor(AT_ONCE) as pool:
            list(pool.map(lambda each: each[1].fetch(root.parent / each[0]), level))
    stamp.write_text(lock)


def archive_of(path: str, pinned: dict[str, Any]) -> Archive:
    """Return the archive that an entry of a lock pins."""
    algorithm, _, digest = pinned["integrity"].partition("-")
    name = pinned.get("name", path.rpartition("node_modules/")[2])
    return Archive(name, pinned["version"], base64.b64decode(digest).hex(), algorithm)


def is_for_here(pinned: dict[str, Any]) -> bool:
    """Return whether a package runs on this platform, as far as its lock says."""
    here = {"os": sys.platform, "cpu": MACHINES.get(platform.machine().lower(), "")}
    for key, value in here.items():
        named = pinned.get(key, value)
        if value not in ([named] if isinstance(named, str) else named):
            return False
    return "musl" not in pinned.get("libc", ())


def node(directory: Path) -> Path:
    """Return the Node that was installed for a directory.

    Raises:
        FetchFailed: There is none for this platform.
    """
    for found in modules(directory).glob("node-*-*/bin/node"):
        return found
    raise FetchFailed(f"{directory} has no Node for {sys.platform} on {platform.machine()}.")


def main() -> int:
    try:
        for directory in sys.argv[1:]:
            install(Path(directory))
    except FetchFailed as error:
        print(f"npm: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
