"""The calls of docs/tools.md for the capability `devtools`."""

from __future__ import annotations

from scripts.tool_docs.example import SITE, Example

EMULATION = (
    Example("browser_navigate", {"url": f"{SITE}/index.html"}),
    Example(
        "browser_emulate",
        {"device": "iPhone 15", "network": "Slow 4G", "cpuThrottling": 4},
        "Emulate a phone with a slow connection.",
    ),
    Example("browser_emulate", {}, "List what is emulated."),
    Example(
        "browser_emulate",
        {"device": None, "network": {"downloadKbps": 5000, "uploadKbps": 1000}},
        "Go back to the device of the context, with another connection.",
    ),
    Example(
        "browser_emulate",
        {"geolocation": "52.52,13.4", "timezone": "Europe/Berlin", "locale": "de-DE"},
        "Emulate a user in another country.",
    ),
    Example("browser_emulate", {"device": "iPhone 5000"}, "The error for an unknown device."),
    Example("browser_emulate", {"reset": True}, "Go back to the settings of the context."),
)

HIGHLIGHTS = (
    Example("browser_click", {"ref": 'button "Accept"'}),
    Example("browser_highlight", {"ref": 'searchbox "Search teas"'}, "Draw a box around a field."),
    Example(
        "browser_highlight",
        {"ref": 'button "Check stock"', "style": "outline: 3px dashed green; background: none"},
        "Choose the style of the box.",
    ),
    Example(
        "browser_highlight",
        {"ref": 'button "Check stock"', "style": "red"},
        "The error for a style that is not CSS.",
    ),
    Example("browser_hide_highlight", {"ref": 'searchbox "Search teas"'}, "Remove one box."),
    Example("browser_hide_highlight", {}, "Remove all boxes."),
    Example(
        "browser_hide_highlight",
        {"ref": 'searchbox "Search for tea"'},
        "The error for a wrong name.",
    ),
)

TRACE = (
    Example("browser_stop_tracing", {}, "The error without a trace."),
    Example("browser_start_tracing", {}, "Record the calls from now on."),
    Example("browser_start_tracing", {}, "The error for a second trace."),
    Example("browser_click", {"ref": 'button "Check stock"'}),
    Example("browser_stop_tracing", {}, "Save the report."),
)

CONFIGURATION = Example("browser_get_config", {}, "Show the configuration of this server.")

VIDEO = (
    Example("browser_stop_video", {}, "The error without a video."),
    Example(
        "browser_video_show_actions",
        {"style": {"point": "width: 24px; height: 24px; border-radius: 50%; background: orange"}},
        "Mark the point of each action.",
    ),
    Example(
        "browser_start_video",
        {"filename": "shop.webm", "size": {"width": 1280, "height": 720}},
        "Record a video in the size of the viewport.",
    ),
    Example("browser_start_video", {}, "The error for a second video."),
    Example(
        "browser_video_chapter",
        {"title": "Check the stock", "duration": 1500},
        "Begin with a title.",
    ),
    Example("browser_click", {"ref": 'button "Check stock"'}),
    Example("browser_video_hide_actions", {}, "Show no more actions."),
    Example("browser_stop_video", {}, "Save the video."),
    Example("browser_video_chapter", {"title": "The end"}, "The error without a video."),
)

LIVE_VIEW = (
    Example("browser_live_view", {}, "Let the user watch."),
    Example("browser_live_view", {"close": True}, "End it."),
)

DEVTOOLS = (*EMULATION, *HIGHLIGHTS, *TRACE, *VIDEO, CONFIGURATION, *LIVE_VIEW)
