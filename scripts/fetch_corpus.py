"""Fetch the packages whose HTML is part of the fidelity corpus, each in its pinned version, from
the npm registry (or the one in NPM_CONFIG_REGISTRY).

    python scripts/fetch_corpus.py            fetch the missing packages
    python scripts/fetch_corpus.py --check    only check whether all are there

They are unpacked into `.corpus/`, which is not committed. Their scripts run only in a browser
without a network, by `make fidelity` and the test of the same name.
"""

from __future__ import annotations

import argparse
import sys
from dataclasses import dataclass
from pathlib import Path

from scripts.npm import Archive, FetchFailed

CORPUS = Path(__file__).resolve().parent.parent / ".corpus"


@dataclass(frozen=True, slots=True)
class Package:
    """A package of the npm registry, and the SHA-256 of its archive."""

    name: str
    version: str
    sha256: str

    @property
    def directory(self) -> Path:
        """The directory of its files."""
        return CORPUS / f"{self.name}-{self.version}"

    def fetch(self) -> None:
        """Download, verify and unpack it.

        Raises:
            FetchFailed: The download failed, or its digest is wrong.
        """
        Archive(self.name, self.version, self.sha256, "sha256").fetch(self.directory)


PACKAGES = (
    Package(
        "gentelella", "4.2.0", "42868c216515716c1f958d86459965b2d978d717eac912e456a2c540fed1e25d"
    ),
    Package(
        "govuk-frontend",
        "6.6.0",
        "52c4eb554e54d8a6e4ba801e9da5ec3a5b930fd2f117a39677f0b6296e954751",
    ),
    Package(
        "nhsuk-frontend",
        "10.6.1",
        "1af037bcb75237c4208809d3ac9a06522ccf61b2268221268ead3985bceb060b",
    ),
    Package(
        "spectre.css", "0.5.9", "285c3bc709a1c30a83c8276f0f87b838e3089ec41c78621e496b638146eeeb03"
    ),
    Package("uikit", "3.25.29", "d1510e125df162f473fd009692723d9ca474f3ea908db097eb8fc15baadc210c"),
)


def missing() -> list[Package]:
    """The packages that are not there."""
    return [package for package in PACKAGES if not package.directory.is_dir()]


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--check", action="store_true", help="fetch nothing")
    arguments = parser.parse_args()
    if arguments.check:
        for package in missing():
            print(f"{package.name} {package.version} is missing; run scripts/fetch_corpus.py")
        return 1 if missing() else 0
    for package in missing():
        print(f"Fetching {package.name} {package.version}", file=sys.stderr)
        try:
            package.fetch()
        except FetchFailed as error:
            print(f"fetch_corpus: {error}", file=sys.stderr)
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
