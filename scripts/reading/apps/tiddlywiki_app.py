"""TiddlyWiki on Node, with twelve notes."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path


def fill(node: list[str]) -> None:
    """Create the wiki and its notes."""
    subprocess.run([*node, "wiki", "--init", "server"], check=True, stdout=subprocess.DEVNULL)
    notes = Path("wiki", "tiddlers")
    notes.mkdir(exist_ok=True)
    for n, tea in enumerate(("Sencha", "Assam", "Oolong", "Rooibos") * 3):
        head = f"title: {tea} {n + 1}\ntags: tea {'green' if tea == 'Sencha' else 'dark'}\n"
        text = f"Brew at {70 + n * 2} degrees for {n % 4 + 1} minutes. See [[Assam 2]].\n"
        (notes / f"note{n}.tid").write_text(f"{head}\n{text}")


if __name__ == "__main__":
    program = ["node", str(Path(sys.argv[2]) / "tiddlywiki" / "tiddlywiki.js")]
    fill(program)
    os.execvp("node", [*program, "wiki", "--listen", f"port={sys.argv[1]}", "host=127.0.0.1"])
