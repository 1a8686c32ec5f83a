"""The writer of reports: fills the template with the calls and pictures of a trace."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterable
from datetime import UTC, datetime
from importlib import resources
from string import Template
from typing import NamedTuple
from xml.etree.ElementTree import Element

import msgspec

from viewpoint_mcp.accessibility.printing.printed_snapshot_lines import format_count
from viewpoint_mcp.tools.tracing.report.call_markup import (
    make_element,
    make_list_item,
    make_section,
    render_element,
)
from viewpoint_mcp.tools.tracing.text_masking import TextMask
from viewpoint_mcp.tools.tracing.trace_store import Blob, TraceStore
from viewpoint_mcp.tools.tracing.traced_call import CallDetails, TracedCall, TracedPicture


class ReportHead(NamedTuple):
    """The facts about a whole trace.

    Attributes:
        started: Time of its start, seconds of `time.time`.
        ended: Time of the report.
        call_count: The calls since the start, with steps of batches.
    """

    started: float
    ended: float
    call_count: int


class WrittenReport(NamedTuple):
    """A report as a file.

    Attributes:
        call_count: The calls in it, with steps of batches.
    """

    data: bytes
    call_count: int


class _Pictures:
    """The style with the pictures of a report. Equal pictures are in it once."""

    def __init__(self, store: TraceStore) -> None:
        self._store = store
        self._classes: dict[Blob, str] = {}
        self.rules: list[str] = []

    def add(self, picture: TracedPicture) -> str | None:
        """Add a picture, and return its class; None if it is no longer stored."""
        blob = picture.blob
        if blob is None:
            return None
        if blob not in self._classes:
            data = self._store.read(blob)
            if data is None:
                return None
            self._classes[blob] = name = f"p{len(self._classes) + 1}"
            width, height = picture.size
            url = f"data:image/jpeg;base64,{base64.b64encode(data).decode()}"
            self.rules.append(
                f".{name} {{ aspect-ratio: {width} / {height}; background-image: url({url}); }}"
            )
        return self._classes[blob]


def write_report(
    head: ReportHead, calls: Iterable[TracedCall], store: TraceStore, mask: TextMask
) -> WrittenReport:
    """Write the report of a trace.

    Args:
        calls: The calls of the report. Calls whose details are no longer stored are left out.
        store: The details and the pictures.
        mask: Masks what no text of the report may show.

    Raises:
        OSError: The store cannot be read.
    """
    pictures = _Pictures(store)
    items, sections, failed_count = [], [], 0
    for call in calls:
        details = None
        if call.details is not None:
            data = store.read(call.details)
            if data is None:
                continue
            details = msgspec.json.decode(data, type=CallDetails)
            failed_count += bool(details.error_code)
        items.append(make_list_item(call, details, mask))
        sections.append(render_element(make_section(call, details, mask, pictures.add)))
    style, script, picture_style = (
        _read("report.css"),
        _read("report.js"),
        "\n".join(pictures.rules),
    )
    title = f"Trace of {datetime.fromtimestamp(head.started, UTC):%Y-%m-%d %H:%M:%S} UTC"
    calls_element = make_element("nav", make_element("ol", *items), aria_label="Calls")
    text = Template(_read("report.html")).substitute(
        policy=_make_policy(style, picture_style, script=script),
        title=title,
        style=style,
        pictures=picture_style,
        script=script,
        header=render_element(_make_header(title, head, len(items), failed_count)),
        calls=render_element(calls_element),
        sections="\n".join(sections),
    )
    return WrittenReport(text.encode(errors="replace"), len(items))


def _make_header(title: str, head: ReportHead, shown_count: int, failed_count: int) -> Element:
    header = make_element("header", make_element("h1", title))
    calls = format_count(shown_count, "call")
    seconds = f"{head.ended - head.started:,.0f} s"
    header.append(make_element("p", f"{calls} in {seconds}, {failed_count:,} failed"))
    if left_out := head.call_count - shown_count:
        sentence = (
            f"The oldest {format_count(left_out, 'call')} are left out: the trace is too long."
        )
        header.append(make_element("p", sentence, class_="failed"))
    return header


def _make_policy(*styles: str, script: str) -> str:
    """Return the Content-Security-Policy, which allows only the style and script of the report."""
    hashes = " ".join(map(_hash_source, styles))
    return (
        f"default-src 'none'; style-src {hashes}; script-src {_hash_source(script)}; "
        "img-src data:; base-uri 'none'; form-action 'none'"
    )


def _hash_source(text: str) -> str:
    digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
    return f"'sha256-{digest}'"


def _read(name: str) -> str:
    return resources.files(__package__).joinpath(name).read_text(encoding="utf-8")
