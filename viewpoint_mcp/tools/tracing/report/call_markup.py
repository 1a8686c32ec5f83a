"""The markup of the calls in a report, as a tree that escapes all texts.

Invisible characters become escapes, as in replies, so a person reads what the model read.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from typing import Final
from xml.etree import ElementTree as ET
from xml.etree.ElementTree import Element

from viewpoint_mcp.accessibility.printing.invisible_characters import escape_invisible
from viewpoint_mcp.tools.tracing.text_masking import TextMask
from viewpoint_mcp.tools.tracing.traced_call import (
    CallDetails,
    ConsoleLine,
    RequestLine,
    TracedCall,
    TracedPicture,
)

_MAX_SUMMARY: Final = 80  # characters of a call's first argument in the list
_RUNNING: Final = "The call was still running when the report was saved."

AddPicture = Callable[[TracedPicture], str | None]
"""Adds a picture to the style of the report. Returns its class; None if it is no longer stored."""


def make_element(tag: str, *content: str | Element | None, **attributes: str) -> Element:
    """Return an element with texts and elements as its content.

    Args:
        content: None is skipped.
        attributes: A trailing underscore of a name is removed, others become hyphens.
    """
    element = Element(
        tag, {_to_name(name): escape_invisible(text) for name, text in attributes.items()}
    )
    for each in content:
        if isinstance(each, Element):
            element.append(each)
        elif each is not None and len(element):
            element[-1].tail = (element[-1].tail or "") + escape_invisible(each)
        elif each is not None:
            element.text = (element.text or "") + escape_invisible(each)
    return element


def render_element(element: Element) -> str:
    """Return an element as HTML."""
    return ET.tostring(element, "unicode", "html")


def make_list_item(call: TracedCall, details: CallDetails | None, mask: TextMask) -> Element:
    """Return the item of a call in the list."""
    is_failed = details is not None and bool(details.error_code)
    link = make_element(
        "a",
        make_element("span", call.number, class_="number"),
        make_element("span", call.tool_name, class_="failed" if is_failed else "name"),
        make_element("span", _describe_end(details), class_="seconds"),
        make_element("span", _summarize(details, mask), class_="summary"),
        href=f"#{_make_id(call)}",
    )
    is_step = "." in call.number
    return make_element("li", link, class_="step" if is_step else "call")


def make_section(
    call: TracedCall, details: CallDetails | None, mask: TextMask, add_picture: AddPicture
) -> Element:
    """Return the section with the details of a call.

    Args:
        details: None for a call that was still running.
    """
    heading = make_element("h2", f"{call.number}. {call.tool_name}")
    section = make_element("section", heading, id=_make_id(call), tabindex="-1")
    if details is None:
        section.append(make_element("p", _RUNNING))
        return section
    section.append(_make_facts(details, mask))
    if details.before is not None or details.after is not None:
        section.append(_make_pictures(call, details, add_picture, mask))
    section.append(_make_fold("Arguments", _make_text(mask.render_arguments(details.arguments))))
    section.append(_make_fold("Reply", _make_text(mask.mask(details.reply))))
    console = [_make_console_line(each, mask) for each in details.console]
    requests = [_make_request_line(each, mask) for each in details.requests]
    section.append(_make_fold(f"Console ({len(console)})", make_element("ul", *console)))
    section.append(_make_fold(f"Network ({len(requests)})", make_element("ul", *requests)))
    section.extend(make_element("p", each, class_="note") for each in details.omitted)
    return section


def _make_facts(details: CallDetails, mask: TextMask) -> Element:
    facts = make_element("dl")
    for name, text in _list_facts(details):
        facts.append(make_element("dt", name))
        is_bad = name == "Failed"
        facts.append(make_element("dd", mask.mask(text), class_="failed" if is_bad else "fact"))
    return facts


def _list_facts(details: CallDetails) -> Iterator[tuple[str, str]]:
    if details.error_code:
        yield "Failed", details.error_code
    started = datetime.fromtimestamp(details.started, UTC)
    yield "Started", f"{started:%H:%M:%S}.{started.microsecond // 1000:03} UTC"
    yield "Duration", _render_seconds(details.seconds)
    if details.context:
        yield "Context", ", ".join(filter(None, (details.context, details.tab)))
    if details.url:
        yield "Page", f"{details.title} ({details.url})" if details.title else details.url


def _make_pictures(
    call: TracedCall, details: CallDetails, add_picture: AddPicture, mask: TextMask
) -> Element:
    checkbox = make_element("input", type="checkbox")
    pictures = make_element(
        "div", make_element("label", checkbox, " Large pictures"), class_="pictures"
    )
    for caption, picture in (("Before", details.before), ("After", details.after)):
        shown = picture or TracedPicture(missing="The call ended before.")
        name = add_picture(shown) if shown.blob is not None else None
        reason = shown.missing or "It is no longer stored."
        pictures.append(
            make_element(
                "figure",
                make_element("figcaption", caption),
                make_element(
                    "div",
                    class_=f"picture {name}",
                    role="img",
                    aria_label=f"The page {caption.lower()} call {call.number}",
                )
                if name
                else make_element("div", f"No picture. {mask.mask(reason)}", class_="missing"),
            )
        )
    return pictures


def _make_fold(title: str, content: Element) -> Element:
    """Return a part that can be folded; it is folded if it has no content."""
    fold = make_element("details", make_element("summary", title), content)
    if len(content) or content.text:
        fold.set("open", "")
    return fold


def _make_text(text: str) -> Element:
    return make_element("pre", text)


def _make_console_line(line: ConsoleLine, mask: TextMask) -> Element:
    return make_element(
        "li", mask.mask(f"{_prefix_tab(line.tab)}[{line.level}] {line.text}"), class_=line.level
    )


def _make_request_line(line: RequestLine, mask: TextMask) -> Element:
    text = mask.mask(f"{_prefix_tab(line.tab)}{line.text}")
    return make_element("li", text, class_="error" if line.is_failed else "request")


def _prefix_tab(tab: str) -> str:
    return f"{tab}: " if tab else ""


def _summarize(details: CallDetails | None, mask: TextMask) -> str:
    """Return the first text among the arguments, on one line."""
    if details is None or not isinstance(details.arguments, dict):
        return ""
    arguments = json.loads(mask.render_arguments(details.arguments))
    text = next((each for each in arguments.values() if isinstance(each, str)), "")
    line = " ".join(text.split())
    return line if len(line) <= _MAX_SUMMARY else f"{line[:_MAX_SUMMARY]}…"


def _describe_end(details: CallDetails | None) -> str:
    if details is None:
        return "running"
    return f"{'failed, ' if details.error_code else ''}{_render_seconds(details.seconds)}"


def _render_seconds(seconds: float) -> str:
    return f"{seconds * 1000:.0f} ms" if seconds < 1 else f"{seconds:.1f} s"


def _make_id(call: TracedCall) -> str:
    return f"call-{call.number.replace('.', '-')}"


def _to_name(name: str) -> str:
    return name.rstrip("_").replace("_", "-")
