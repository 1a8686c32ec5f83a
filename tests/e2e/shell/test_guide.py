"""The commands of docs/shell.md print what the page shows."""

from __future__ import annotations

import shlex

from tests.code_blocks import ROOT, Document
from tests.e2e.documentation.conversation import HERE, matches, serve_shop
from tests.e2e.shell.conftest import Shell
from tests.site import Site

GUIDE = Document(ROOT / "docs" / "shell.md")
PROMPT = "$ "


async def test_each_command_prints_what_the_page_shows(shell: Shell, site: Site) -> None:
    address = serve_shop(site, GUIDE)
    (block,) = [each for each in GUIDE.blocks if each.language == "console"]
    for step in block.text.removeprefix(PROMPT).split(f"\n{PROMPT}"):
        line, _, shown = step.partition("\n")
        words = shlex.split(line.replace(HERE, address))
        # The words before a pipe print what the command reads.
        script, command = words[1:2] if "|" in words else [], words[words.index("viewpoint") + 1 :]
        stdin = "".join(script).replace("\\n", "\n")
        printed = (await shell.run(*command, stdin=stdin)).text.replace(address, HERE)
        assert matches(shown, printed), f"{line} printed:\n{printed}"
