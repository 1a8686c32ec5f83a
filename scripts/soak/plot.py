"""The plot of a run as SVG: a row for each quantity, a column for each phase."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from html import escape

from scripts.soak.observer import Reading, Readings

QUANTITIES: tuple[tuple[str, Callable[[Reading], float]], ...] = (
    ("server, MiB", lambda each: each.server_memory),
    ("browser, MiB", lambda each: each.browser_memory),
    ("descriptors", lambda each: each.descriptors),
    ("tasks", lambda each: each.tasks),
    ("browser processes", lambda each: each.processes),
)

_LEFT, _TOP, _WIDTH, _HEIGHT, _GAP = 130, 40, 150, 70, 24


def draw(phases: Sequence[Readings]) -> str:
    """Return the plot. Each row has one scale, which begins at 0."""
    width = _LEFT + len(phases) * (_WIDTH + _GAP)
    height = _TOP + len(QUANTITIES) * (_HEIGHT + _GAP)
    font = 'font-family="sans-serif" font-size="12" fill="#667"'
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" {font}>',
        f'<rect width="{width}" height="{height}" fill="#fff"/>',
    ]
    for column, phase in enumerate(phases):
        count = phase.readings[-1].done
        parts.append(_text(_LEFT + column * (_WIDTH + _GAP), 20, f"{count} {phase.name}"))
    for row, (name, value) in enumerate(QUANTITIES):
        top = _TOP + row * (_HEIGHT + _GAP)
        highest = max(value(each) for phase in phases for each in phase.readings)
        parts += [_text(4, top + 12, name), _text(4, top + 28, f"0 to {highest:.0f}")]
        for column, phase in enumerate(phases):
            parts += _draw_cell(_LEFT + column * (_WIDTH + _GAP), top, phase, value, highest)
    return "\n".join([*parts, "</svg>", ""])


def _draw_cell(
    left: int, top: int, phase: Readings, value: Callable[[Reading], float], highest: float
) -> list[str]:
    last = phase.readings[-1].done or 1
    points = " ".join(
        f"{left + each.done / last * _WIDTH:.1f},"
        f"{top + _HEIGHT - value(each) / (highest or 1) * _HEIGHT:.1f}"
        for each in phase.readings
    )
    return [
        f'<rect x="{left}" y="{top}" width="{_WIDTH}" height="{_HEIGHT}" fill="#f4f5f7"/>',
        f'<polyline points="{points}" fill="none" stroke="#2563eb" stroke-width="1.5"/>',
    ]


def _text(x: int, y: int, text: str) -> str:
    return f'<text x="{x}" y="{y}">{escape(text)}</text>'
