"""`python -m scripts.packages [DIRECTORY]` builds and checks the packages, by default in dist/."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from scripts.packages.bundle import build_bundle

ROOT = Path(__file__).resolve().parents[2]


def main(directory: Path) -> None:
    """Build sdist, wheel and bundle, and check the metadata of the first two."""
    directory.mkdir(parents=True, exist_ok=True)
    for old in directory.iterdir():  # an older version would be checked and uploaded as well
        if old.name.startswith(("viewpoint_mcp-", "viewpoint-mcp-")):
            old.unlink()
    build = (sys.executable, "-m", "hatchling", "build", "-d", str(directory))
    subprocess.run(build, cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
    packages = sorted(map(str, directory.glob("viewpoint_mcp-*")))
    subprocess.run((sys.executable, "-m", "twine", "check", "--strict", *packages), check=True)
    packages.append(str(build_bundle(directory)))
    print(*packages, sep="\n")


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "dist").resolve())
