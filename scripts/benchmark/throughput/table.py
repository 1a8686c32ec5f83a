"""The measurements as Markdown, and the targets that are met."""

from __future__ import annotations

import statistics
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from scripts.benchmark.throughput.clients import (
    BARE,
    CDP_USE,
    DIRECT,
    DIRECT_PEERS,
    OURS,
    OWN,
    TYPED,
)

LEVELS = (1, 10, 100)
OF_THE_BARE_LOOP = 0.8
OF_CDP_USE = 2.0


@dataclass(slots=True)
class Figures:
    """Of one browser: rates in calls per second and cost in microseconds, by client and level."""

    title: str
    rates: dict[tuple[str, int], list[float]] = field(default_factory=dict)
    costs: dict[tuple[str, int], list[float]] = field(default_factory=dict)
    failures: dict[str, str] = field(default_factory=dict)

    def add(self, client: str, level: int, rate: float, cost: float) -> None:
        """Note one round."""
        self.rates.setdefault((client, level), []).append(rate)
        self.costs.setdefault((client, level), []).append(cost)

    def rate(self, client: str, level: int) -> float:
        """The median of calls per second; 0 when it was not measured."""
        return statistics.median(self.rates.get((client, level), [0.0]))

    def cost(self, client: str, level: int) -> float:
        """The median of processor time for a call."""
        return statistics.median(self.costs[client, level])

    def clients(self) -> list[str]:
        """Those that were measured, in the order of their first round."""
        return list(dict.fromkeys(client for client, _ in self.rates))

    def markdown(self) -> str:
        """A table: a row for each client."""
        heads = [f"{level} in flight | of the bare loop | µs" for level in LEVELS]
        lines = [f"| {self.title} | " + " | ".join(heads) + " |"]
        lines.append("|---" * (1 + 3 * len(LEVELS)) + "|")
        for client in self.clients():
            cells = [cell for level in LEVELS for cell in self._cells(client, level)]
            lines.append(f"| {client} | " + " | ".join(cells) + " |")
        lines += [f"\n- n/a {client}: {why}" for client, why in self.failures.items()]
        return "\n".join(lines)

    def _cells(self, client: str, level: int) -> tuple[str, str, str]:
        rate = self.rate(client, level)
        share = rate / (self.rate(BARE, level) or rate)
        return f"{rate:,.0f}", f"{share:.2f}", f"{self.cost(client, level):.0f}"

    def verdicts(self) -> Iterator[str]:
        """Yield one line for each target."""
        others = [one for one in self.clients() if one not in OWN]
        for level in LEVELS:
            for ours in (OURS, TYPED):
                yield self._verdict(ours, level, BARE, OF_THE_BARE_LOOP)
            for other in others:
                factor = OF_CDP_USE if other == CDP_USE else 1.0
                ours = DIRECT if other in DIRECT_PEERS else OURS
                yield self._verdict(ours, level, other, factor)

    def _verdict(self, ours: str, level: int, other: str, factor: float) -> str:
        ratio = self.rate(ours, level) / self.rate(other, level)
        word = "pass" if ratio >= factor else "FAIL"
        return (
            f"{word}  {self.title}, {level} in flight: {ours} >= {factor:g} x {other}: {ratio:.2f}"
        )


def latency(name: str, bursts: Sequence[tuple[float, Sequence[float]]]) -> str:
    """Return one line about bursts: their duration, and the latencies of calls during them."""
    seconds = statistics.median(one for one, _ in bursts)
    calls = sorted(each for _, latencies in bursts for each in latencies)
    middle, last = statistics.median(calls), calls[-1]
    late = calls[int(0.99 * (len(calls) - 1))]
    return (
        f"{name}: {seconds:.2f} s for the burst (median of {len(bursts)}); {len(calls)} calls"
        f" meanwhile, median {1000 * middle:.1f} ms, 99 % {1000 * late:.0f} ms,"
        f" longest {1000 * last:.0f} ms"
    )
