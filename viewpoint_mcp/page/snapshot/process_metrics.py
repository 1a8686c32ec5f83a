"""Counters of a renderer process, which show whether a script ran or a page may look different."""

from __future__ import annotations

from typing import NamedTuple

from cdp_protocol import Session


class ProcessMetrics(NamedTuple):
    """Counters of the process of a CDP session.

    Attributes:
        script_time: Seconds of script execution. It stays exactly the same if no script ran.
        layout_counts: The numbers of layout and of style computations.
    """

    script_time: float
    layout_counts: tuple[float, float]


async def read_process_metrics(session: Session, *, timeout: float) -> ProcessMetrics:
    """Read the counters of the process of a session.

    Chromium may answer while a script runs, before earlier commands.

    Args:
        timeout: Seconds.

    Raises:
        CdpError: The process has ended or does not answer.

    Source: CDP `Performance.getMetrics`.
    """
    answer = await session.send("Performance.getMetrics", timeout=timeout)
    values = {each["name"]: float(each["value"]) for each in answer["metrics"]}
    return ProcessMetrics(
        values.get("ScriptDuration", 0.0),
        (values.get("LayoutCount", 0.0), values.get("RecalcStyleCount", 0.0)),
    )
