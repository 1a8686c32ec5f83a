"""The agreement below which the test fails: facts measured, raised when the walker gets better."""

from __future__ import annotations

import math
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import orjson

from tests.prove.fidelity.judge import Figure, figures
from tests.prove.fidelity.run import Outcome

MANY: Final = 500
FILE: Final = Path(__file__).parent / "floors.json"


def measured_floors(outcome: Outcome) -> dict[str, dict[str, float]]:
    """Pages and floors of the agreement in percent, by part of the corpus and by class."""
    return {
        part: {
            "pages": outcome.pages[part],
            **{name: _floor(figure) for name, figure in figures(records).items() if figure.total},
        }
        for part, records in sorted(outcome.judged.items())
    }


def _floor(figure: Figure) -> float:
    """The percentage rounded down; a tenth less where it is of many, since some pages move."""
    return (math.floor(figure.percent * 10) - (figure.total >= MANY)) / 10


def write(outcome: Outcome) -> None:
    """Write the measured figures as the new floors."""
    FILE.write_bytes(orjson.dumps(measured_floors(outcome), option=orjson.OPT_INDENT_2) + b"\n")


def parts() -> list[str]:
    """The parts of the corpus that have floors."""
    return list(orjson.loads(FILE.read_bytes()))


def list_drops(outcome: Outcome, part: str) -> Iterator[str]:
    """Yield a sentence for each figure of a part that is below its floor."""
    found = figures(outcome.judged.get(part, []))
    for name, floor in orjson.loads(FILE.read_bytes())[part].items():
        now = outcome.pages[part] if name == "pages" else found[name].percent
        if now < floor:
            yield f"{part}, {name}: {now:g}, the floor is {floor}"
