"""One client in a separate process: reads orders as JSON lines, answers with figures.

Run it with the interpreter of the environment that has the client's library.
"""

from __future__ import annotations

import asyncio
import gc
import json
import os
import sys
import time
import tracemalloc
from pathlib import Path
from typing import Any

from scripts.benchmark.throughput.clients import OWN, PEERS, Client

WARM = 200


async def main(name: str, browser: str, target: str, other: str) -> None:
    client = {**OWN, **PEERS}[name]()
    await client.open(browser, target)
    told = repr(await client.call())
    if "1" not in told:
        raise RuntimeError(f"1 is not 1: {told}")
    await client.play(WARM, 1)
    answer({"ready": True})
    while line := await asyncio.to_thread(sys.stdin.readline):
        order = json.loads(line)
        match order["act"]:
            case "calls":
                answer(await measure_time(client, order["count"], order["at_once"]))
            case "memory":
                answer(await measure_memory(client, order["count"]))
            case "big":
                from scripts.benchmark.throughput.big_events import burst

                answer(await burst(client, other, order["events"], order["size"]))
    os._exit(0)  # a client's shutdown is not measured, and some wait for long


async def measure_time(client: Client, count: int, at_once: int) -> dict[str, float]:
    """Play calls; returns seconds, and seconds of this process's processor time."""
    gc.collect()
    spent, began = time.process_time(), time.perf_counter()
    await client.play(count, at_once)
    return {
        "seconds": time.perf_counter() - began,
        "processor": time.process_time() - spent,
        "calls": count // at_once * at_once,
    }


async def measure_memory(client: Client, count: int) -> dict[str, float]:
    """Make the calls twice; return the bytes that they leave in resident memory and by
    tracemalloc.
    """
    await client.play(count // 10, 100)
    before = resident()
    await client.play(count, 100)
    resident_growth = resident() - before
    tracemalloc.start()
    await client.play(count // 10, 100)
    gc.collect()
    traced = tracemalloc.get_traced_memory()[0]
    await client.play(count, 100)
    gc.collect()
    traced_growth = tracemalloc.get_traced_memory()[0] - traced
    tracemalloc.stop()
    return {"resident": resident_growth, "traced": traced_growth}


def resident() -> int:
    gc.collect()
    statm = Path("/proc/self/statm")
    if not statm.exists():
        return 0
    return int(statm.read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def answer(told: dict[str, Any]) -> None:
    print(json.dumps(told), flush=True)


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
