"""The scripts of the isolated world share one scope: what one file names, no other may."""

from __future__ import annotations

import re
from collections import Counter
from importlib.resources import files

from viewpoint_mcp import inpage
from viewpoint_mcp.inpage.loader import FILES

_DECLARED = re.compile(
    r"^(?:async )?(?:function\*? (\w+)|(?:const|let) (?:(\w+) =|\{([^}]*)\} =))", re.MULTILINE
)


def declared(source: str) -> list[str]:
    """Return the names at the top level of a script."""
    names = []
    for function, variable, several in _DECLARED.findall(source):
        names += [part.split(":")[-1].strip() for part in several.split(",") if part.strip()]
        names += filter(None, [function, variable])
    return names


def test_no_two_files_declare_the_same_name() -> None:
    here = files(inpage)
    sources = [here.joinpath(name).read_text(encoding="utf-8") for name in FILES]
    counts = Counter(name for source in sources for name in declared(source))
    assert len(counts) > 300
    assert [name for name, count in counts.items() if count > 1] == []
