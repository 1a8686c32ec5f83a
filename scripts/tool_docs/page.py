"""Rendering of docs/tools.md."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from msgspec.structs import fields

from scripts.tool_docs.player import Played, read_replies
from viewpoint_mcp.shell.commands.tool_documentation import (
    arguments_of,
    inner_structs,
    paragraphs_of,
    shared_types,
)
from viewpoint_mcp.tools.catalog import list_all_tools
from viewpoint_mcp.tools.core.schema import make_input_schema
from viewpoint_mcp.tools.core.tool import Tool
from viewpoint_mcp.tools.core.tool_selection import select_tools

Schema = Mapping[str, Any]

INTRODUCTION: Final = Path(__file__).with_name("introduction.md")
TASKS: Final[Mapping[str, tuple[str, ...]]] = {
    "Open pages": (
        "browser_navigate",
        "browser_navigate_back",
        "browser_navigate_forward",
        "browser_reload",
        "browser_tabs",
        "browser_close",
    ),
    "Read a page": ("browser_snapshot", "browser_find", "browser_wait_for"),
    "Act on elements": (
        "browser_click",
        "browser_hover",
        "browser_drag",
        "browser_drop",
        "browser_scroll_into_view",
        "browser_press_key",
    ),
    "Fill in forms": (
        "browser_type",
        "browser_select_text",
        "browser_fill_form",
        "browser_select_option",
        "browser_file_upload",
        "browser_handle_dialog",
    ),
    "Do several things in one call": ("browser_batch",),
    "Take and read screenshots": (
        "browser_take_screenshot",
        "list_screenshots",
        "get_screenshot",
        "crop_screenshot",
    ),
    "Find out why a page fails": (
        "browser_console_messages",
        "browser_network_requests",
        "browser_network_request",
        "browser_evaluate",
    ),
    "Change the view": ("browser_resize", "browser_emulate_media"),
    "Use several users or devices": (
        "browser_context_create",
        "browser_context_switch",
        "browser_context_list",
        "browser_context_close",
        "browser_context_save_storage",
    ),
    "Install a browser": ("browser_install",),
    "Act at coordinates (`--caps vision`)": (
        "browser_mouse_click_xy",
        "browser_mouse_move_xy",
        "browser_mouse_drag_xy",
        "browser_mouse_down",
        "browser_mouse_up",
        "browser_mouse_wheel",
    ),
    "Print (`--caps pdf`)": ("browser_pdf_save",),
    "Read and change cookies and storage (`--caps storage`)": (
        "browser_cookie_list",
        "browser_cookie_get",
        "browser_cookie_set",
        "browser_cookie_delete",
        "browser_cookie_clear",
        "browser_localstorage_list",
        "browser_localstorage_get",
        "browser_localstorage_set",
        "browser_localstorage_delete",
        "browser_localstorage_clear",
        "browser_sessionstorage_list",
        "browser_sessionstorage_get",
        "browser_sessionstorage_set",
        "browser_sessionstorage_delete",
        "browser_sessionstorage_clear",
        "browser_storage_state",
        "browser_set_storage_state",
    ),
    "Control the network (`--caps network`)": (
        "browser_route",
        "browser_route_list",
        "browser_unroute",
        "browser_network_state_set",
        "browser_network_export_har",
    ),
    "Write tests (`--caps testing`)": (
        "browser_verify_element_visible",
        "browser_verify_text_visible",
        "browser_verify_list_visible",
        "browser_verify_value",
        "browser_generate_locator",
        "browser_export_script",
    ),
    "Emulate, record and trace (`--caps devtools`)": (
        "browser_emulate",
        "browser_highlight",
        "browser_hide_highlight",
        "browser_start_video",
        "browser_stop_video",
        "browser_video_chapter",
        "browser_video_show_actions",
        "browser_video_hide_actions",
        "browser_start_tracing",
        "browser_stop_tracing",
    ),
    "Show the configuration (`--caps config`)": ("browser_get_config",),
    "Hand over to a person (`--caps handoff`)": ("browser_ask_user", "browser_live_view"),
    "Call tools of pages (`--caps webmcp`)": ("browser_webmcp_list", "browser_webmcp_call"),
}


def render_tools_page() -> str:
    """Return the whole page."""
    core = sum(tool.capability == "core" for tool in list_all_tools())
    introduction = INTRODUCTION.read_text(encoding="utf-8")
    lines = [
        introduction.format(
            count=core,
            optional=len(list_all_tools()) - core,
            tasks="\n".join(_task_table()),
            shared="\n".join(_shared_rows()),
        )
    ]
    tools = {tool.name: tool for tool in list_all_tools()}
    played = read_replies()
    for task, names in TASKS.items():
        lines.append(f"## {task}\n")
        for name in names:
            lines += _tool_section(tools[name], [each for each in played if each["tool"] == name])
    return "\n".join(lines).rstrip("\n") + "\n"


def _task_table() -> Iterator[str]:
    tools = {tool.name: tool for tool in list_all_tools()}
    readonly = {tool.name for tool in select_tools(list_all_tools(), ["readonly"])}
    slim = {tool.name for tool in select_tools(list_all_tools(), ["slim"])}
    yield "| tool | effect | profiles |"
    yield "|---|---|---|"
    for task, names in TASKS.items():
        yield f"| **{task}** | | |"
        for name in names:
            among = [
                profile
                for profile, offered in (("slim", slim), ("readonly", readonly))
                if name in offered
            ]
            profiles = ", ".join(among)
            yield f"| [`{name}`](#{name}) | {_escape(tools[name].description)} | {profiles} |"


def _shared_rows() -> Iterator[str]:
    texts = shared_types()
    for argument, name in (
        ("ref", "Ref"),
        ("element", "ElementDescription"),
        ("filename", "Filename"),
        ("context", "ContextName"),
    ):
        yield f"| `{argument}` | {_escape(texts[name])} |"


def _tool_section(tool: Tool[Any], played: Iterable[Played]) -> Iterator[str]:
    yield f"### {tool.name}\n"
    yield f"{tool.description}\n"
    for paragraph in paragraphs_of(tool):
        for label in ("Reply", "Errors"):
            if paragraph.startswith(f"{label}: "):
                paragraph = f"**{label}:** {paragraph.removeprefix(f'{label}: ')}"
        yield f"{paragraph}\n"
    yield from _argument_table(tool)
    yield "**Examples**\n"
    for each in played:
        if each["note"]:
            yield from _example(each)


def _example(played: Played) -> Iterator[str]:
    call = json.dumps(
        {"name": played["tool"], "arguments": played["arguments"]}, ensure_ascii=False
    )
    yield f"{played['note']}\n"
    yield f"```json notest\n{call}\n```\n"
    images = "".join(f"\n({kind})" for kind in played["images"])
    yield f"````text\n{played['reply']}{images}\n````\n"
    if played["data"] is not None:
        data = json.dumps(played["data"], indent=2, ensure_ascii=False)
        yield f"The same as data:\n\n```json notest\n{data}\n```\n"


def _argument_table(tool: Tool[Any]) -> Iterator[str]:
    """Yield the lines of the table of arguments, and an empty one after it."""
    texts = arguments_of(tool.args_type)
    rows = list(_argument_rows(_own_arguments(tool), texts))
    if not rows:
        yield "No arguments.\n"
        return
    yield "| argument | type | default | meaning |"
    yield "|---|---|---|---|"
    yield from rows
    yield ""


def _own_arguments(tool: Tool[Any]) -> Schema:
    """Return the schema of a tool's arguments, without the one that all page tools share.

    Objects with free keys get the properties of the struct that documents them.
    """
    schema = tool.input_schema
    shared = {"context"} if tool.scope == "page" else set()
    own = {name: value for name, value in schema["properties"].items() if name not in shared}
    for field in fields(tool.args_type):
        for _, struct in inner_structs(field.type):
            if own[field.encode_name].get("type") == "object":
                own[field.encode_name] |= {"properties": make_input_schema(struct)["properties"]}
    return {**schema, "properties": own}


def _argument_rows(schema: Schema, texts: Mapping[str, str], prefix: str = "") -> Iterator[str]:
    """Yield a row for each property, those of objects and of lists of objects after their owner."""
    required = schema.get("required", ())
    for name, value in schema.get("properties", {}).items():
        path = f"{prefix}{name}"
        label = f"**`{path}`**" if name in required else f"`{path}`"
        default = f"`{json.dumps(value['default'])}`" if value.get("default") is not None else ""
        if _type_name(value) == "boolean" and name not in required and not prefix:
            default = "`false`"
        cells = (label, _type_name(value), default, texts[path])
        yield "| " + " | ".join(map(_escape, cells)) + " |"
        yield from _argument_rows(value, texts, f"{path}.")
        yield from _argument_rows(value.get("items", {}), texts, f"{path}[].")


def _type_name(schema: Schema) -> str:
    """Return a property's type in a few words: `string`, `left` or `right`, `list of string`."""
    if "enum" in schema:
        return ", ".join(f"`{value}`" for value in schema["enum"])
    if "anyOf" in schema:
        return " or ".join(_type_name(choice) for choice in schema["anyOf"])
    if schema.get("type") == "array":
        return f"list of {_type_name(schema.get('items', {}))}"
    return f"{schema.get('type', 'any')}{_limits(schema)}"


def _limits(schema: Schema) -> str:
    low, high = schema.get("minimum"), schema.get("maximum")
    if low is not None and high is not None:
        return f", {low} to {high}"
    if low is not None:
        return f", at least {low}"
    return f", at most {high}" if high is not None else ""


def _escape(cell: str) -> str:
    return cell.replace("|", "\\|").replace("\n", " ")
