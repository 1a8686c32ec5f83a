"""Reads, reduces, compares and writes down descriptions of the protocol; generates nothing."""

from __future__ import annotations

import json
import re
import urllib.request
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

Json = dict[str, Any]


def from_browser(endpoint: str, wanted: list[str]) -> Json:
    """Read the description that a running browser serves at /json/protocol."""
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))

    def get(path: str) -> Json:
        try:
            with opener.open(f"{endpoint.rstrip('/')}{path}", timeout=10) as answer:
                found: Json = json.load(answer)
                return found
        except (OSError, ValueError) as error:
            raise SystemExit(f"{endpoint}{path} gave no description: {error}.") from None

    version = get("/json/version")
    commit = re.search(r"@(\w{12})", version.get("WebKit-Version", ""))
    revision = version["Browser"] + (f" ({commit[1]})" if commit else "")
    return reduce(get("/json/protocol")["domains"], revision, wanted)


def from_files(files: Iterable[str], revision: str, wanted: list[str]) -> Json:
    """Read the files of the npm package devtools-protocol, or of a Chromium checkout."""
    parsed = [json.loads(Path(file).read_text(encoding="utf-8")) for file in files]
    return reduce([domain for part in parsed for domain in part["domains"]], revision, wanted)


def reduce(domains: list[Json], revision: str, wanted: list[str]) -> Json:
    """Keep the wanted domains, and of the others the types that those refer to."""
    known = {domain["domain"]: domain for domain in domains}
    if missing := [name for name in wanted if name not in known]:
        raise SystemExit(
            f"The description lacks {', '.join(missing)}; take them out of protocol.lock."
        )
    kept: dict[str, Json] = {name: known[name] for name in wanted}
    foreign: dict[str, set[str]] = {}
    queue = [(name, ref) for name in wanted for ref in references(known[name])]
    while queue:
        home, ref = queue.pop()
        owner, _, name = ref.rpartition(".")
        owner = owner or home
        if owner not in kept and name not in foreign.setdefault(owner, set()):
            foreign[owner].add(name)
            found = next(t for t in known[owner]["types"] if t["id"] == name)
            queue += [(owner, inner) for inner in references(found)]
    for owner, names in foreign.items():
        types = [t for t in known[owner]["types"] if t["id"] in names]
        kept[owner] = {"domain": owner, "types": types}
    return {"revision": revision, "domains": [kept[name] for name in sorted(kept)]}


def references(part: object) -> Iterator[str]:
    """Every `$ref` below a part of a description."""
    if isinstance(part, dict):
        if isinstance(ref := part.get("$ref"), str):
            yield ref
        for value in part.values():
            yield from references(value)
    elif isinstance(part, list):
        for value in part:
            yield from references(value)


def dump(description: Json) -> str:
    """Write a description with one command, event or type a line."""
    blocks = []
    for domain in description["domains"]:
        head = {key: value for key, value in domain.items() if not isinstance(value, list)}
        parts = [json.dumps(head, ensure_ascii=False)[1:-1]]
        for group in ("types", "commands", "events"):
            if members := domain.get(group):
                lines = ",\n".join(json.dumps(m, ensure_ascii=False) for m in members)
                parts.append(f'"{group}": [\n{lines}\n]')
        blocks.append("{" + ",\n".join(parts) + "}")
    revision = json.dumps(description["revision"])
    return f'{{"revision": {revision},\n"domains": [\n' + ",\n".join(blocks) + "\n]}\n"


def drift(ours: Json, theirs: Json) -> list[str]:
    """What another description has more, less or differently, member by member."""
    before, after = members_of(ours), members_of(theirs)
    lines = [f"new:     {name}" for name in after if name not in before]
    lines += [f"gone:    {name}" for name in before if name not in after]
    return lines + [f"changed: {n}" for n in after if n in before and after[n] != before[n]]


def members_of(description: Json) -> dict[str, Json]:
    """Every type, command and event by its full name."""
    return {
        f"{domain['domain']}.{member.get('id') or member['name']}": member
        for domain in description["domains"]
        for group in ("types", "commands", "events")
        for member in domain.get(group, [])
    }
