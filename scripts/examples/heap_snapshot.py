"""Take a heap snapshot of a page and list the constructors whose objects take the most memory.

Example: python scripts/examples/heap_snapshot.py https://example.org --save example.heapsnapshot
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from pathlib import Path
from typing import Any

from scripts.examples.example import arguments, fresh_page, load, print_safely, run

PATIENCE = 300.0  # seconds


def largest(snapshot: dict[str, Any]) -> list[tuple[str, int, int]]:
    """Return name, number of objects and their own bytes for the largest constructors.

    A node is a row of numbers in the order of `node_fields`; names are indexes of strings.
    """
    meta, strings, nodes = snapshot["snapshot"]["meta"], snapshot["strings"], snapshot["nodes"]
    fields, kinds = meta["node_fields"], meta["node_types"][meta["node_fields"].index("type")]
    width = len(fields)
    kind_of, name_of, size_of = (
        nodes[fields.index(field) :: width] for field in ("type", "name", "self_size")
    )
    count: Counter[str] = Counter()
    size: Counter[str] = Counter()
    for kind, name, own in zip(kind_of, name_of, size_of, strict=True):
        # Only objects have a constructor's name; others have the snapshot's kind of node.
        told = strings[name] if kinds[kind] in {"object", "native"} else f"({kinds[kind]})"
        count[told] += 1
        size[told] += own
    return [(name, count[name], own) for name, own in size.most_common(10)]


async def main(args: argparse.Namespace) -> None:
    chunks: list[str] = []
    async with fresh_page(args.endpoint) as page:
        await load(page, args.url, args.seconds)
        page.timeout = PATIENCE
        page.on(page.HeapProfiler.addHeapSnapshotChunk, lambda event: chunks.append(event["chunk"]))
        await page.HeapProfiler.collectGarbage()
        await page.HeapProfiler.takeHeapSnapshot()
    text = "".join(chunks)  # whole by now: the answer comes after the last chunk
    if args.save:
        args.save.write_text(text, encoding="utf-8")
    print("      bytes   objects  constructor")
    for name, count, size in largest(json.loads(text)):
        print_safely(f"{size:11,} {count:9,}  {name[:100]}")


if __name__ == "__main__":
    parser = arguments(__doc__)
    parser.add_argument("--save", type=Path, metavar="FILE", help="keep the snapshot for DevTools")
    run(main(parser.parse_args()))
