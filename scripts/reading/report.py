"""Tables of the costs, and their comparison with the figures that are kept in baseline.json."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import orjson

from scripts.reading.lines import KINDS
from scripts.reading.player import Cost

BASELINE = Path(__file__).with_name("baseline.json")
Costs = Mapping[str, Mapping[str, Cost]]  # by session, then by server


def load_baseline() -> dict[str, dict[str, dict[str, Any]]]:
    """Return the kept figures by session and server; empty if there are none."""
    return orjson.loads(BASELINE.read_bytes()) if BASELINE.is_file() else {}


def save_baseline(costs: Costs) -> None:
    """Keep the figures of the successful sessions; others stay as they are."""
    kept = load_baseline()
    for session, by_server in costs.items():
        for server, cost in by_server.items():
            if not cost.failure:
                figures = {
                    "calls": cost.calls,
                    "pictures": cost.pictures,
                    "characters": cost.characters,
                    "kinds": {kind: cost.kinds[kind] for kind in KINDS},
                }
                kept.setdefault(session, {})[server] = figures
    options = orjson.OPT_INDENT_2 | orjson.OPT_SORT_KEYS | orjson.OPT_APPEND_NEWLINE
    BASELINE.write_bytes(orjson.dumps(kept, option=options))


def build_report(costs: Costs) -> str:
    """Return the tables as Markdown: each session, then the sums of each server."""
    head = [
        "application",
        "server",
        "calls",
        "failed",
        "pictures",
        "seconds",
        "sent",
        "characters",
        *KINDS,
    ]
    lines = [row([*head, "of the baseline", "succeeded"]), row(["---"] * (len(head) + 2))]
    baseline = load_baseline()
    for session, by_server in costs.items():
        for server, cost in by_server.items():
            kept = baseline.get(session, {}).get(server)
            lines.append(cost_row(session, server, cost, kept))
    servers = dict.fromkeys(server for by_server in costs.values() for server in by_server)
    lines += [sum_row(costs, server, baseline) for server in servers]
    lines += ["", row(["server", "characters before the first call"]), row(["---"] * 2)]
    lines += [row([server, describe_guide(costs, server)]) for server in servers]
    failures = [
        f"- {session}, {server}: {' '.join(cost.failure.split())[:300]}"
        for session, by_server in costs.items()
        for server, cost in by_server.items()
        if cost.failure
    ]
    return "\n".join([*lines, "", *failures]).rstrip() + "\n"


def cost_row(session: str, server: str, cost: Cost, kept: Mapping[str, Any] | None) -> str:
    """Return the row of one session and server."""
    share = f"{cost.characters / kept['characters']:.0%}" if kept else "–"
    kinds = [f"{cost.kinds[kind]:,}" for kind in KINDS]
    counts = [f"{each:,}" for each in (cost.calls, cost.errors, cost.pictures)]
    size = [f"{cost.seconds:.1f}", f"{cost.sent:,}", f"{cost.characters:,}"]
    return row([session, server, *counts, *size, *kinds, share, "no" if cost.failure else "yes"])


def sum_row(costs: Costs, server: str, baseline: Mapping[str, Mapping[str, Any]]) -> str:
    """Return the row of the sums over the sessions in which the server succeeded."""
    total = Cost()
    kept = 0
    done = [name for name, each in costs.items() if server in each and not each[server].failure]
    for name in done:
        cost = costs[name][server]
        total.calls += cost.calls
        total.errors += cost.errors
        total.pictures += cost.pictures
        total.kinds += cost.kinds
        total.sent += cost.sent
        total.seconds += cost.seconds
        kept += baseline.get(name, {}).get(server, {}).get("characters", 0)
    text = cost_row("**all that succeeded**", server, total, {"characters": kept} if kept else None)
    attempts = sum(server in each for each in costs.values())
    return text.removesuffix("| yes |") + f"| {len(done)} of {attempts} |"


def describe_guide(costs: Costs, server: str) -> str:
    """Return what an agent reads before its first call."""
    sizes = [each[server].guide for each in costs.values() if server in each]
    return next((f"{size:,}" for size in sizes if size is not None), "–")


def row(cells: Iterable[str]) -> str:
    """Return a row of a Markdown table."""
    return f"| {' | '.join(cells)} |"
