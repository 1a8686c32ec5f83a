"""The catalog of all tools, by group, in the order of tools/list."""

from __future__ import annotations

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from typing import Any

from viewpoint_mcp.tools.browser import contexts, emulation, install, navigate, tabs
from viewpoint_mcp.tools.core.selection import select
from viewpoint_mcp.tools.core.tool import Tool
from viewpoint_mcp.tools.input import dialogs, forms, keyboard, mouse, mouse_xy, upload
from viewpoint_mcp.tools.inspect import (
    console,
    evaluate,
    find,
    network,
    pdf,
    saved_screenshots,
    screenshot,
    snapshot,
    wait,
)

TOOLS: tuple[Tool[Any], ...] = (
    # Clients call the first tool without arguments as a health check, so it must be harmless.
    snapshot.snapshot,
    find.find,
    screenshot.take_screenshot,
    saved_screenshots.list_screenshots,
    saved_screenshots.get_screenshot,
    saved_screenshots.crop_screenshot,
    navigate.navigate,
    navigate.navigate_back,
    navigate.navigate_forward,
    navigate.reload,
    mouse.click,
    mouse.hover,
    mouse.drag,
    mouse.drop,
    mouse.scroll_into_view,
    keyboard.type_text,
    forms.fill_form,
    forms.select_option,
    keyboard.press_key,
    network.network_requests,
    network.network_request,
    evaluate.evaluate,
    console.messages,
    wait.wait_for,
    dialogs.handle_dialog,
    upload.file_upload,
    tabs.tabs,
    tabs.resize,
    emulation.emulate_media,
    tabs.close,
    install.install,
    contexts.create,
    contexts.switch,
    contexts.list_contexts,
    contexts.close,
    contexts.save_storage,
    # Tools of capabilities, which --caps enables.
    mouse_xy.click,
    mouse_xy.move,
    mouse_xy.drag,
    mouse_xy.down,
    mouse_xy.up,
    mouse_xy.wheel,
    pdf.save,
)


def offered(capabilities: AbstractSet[str], selection: Sequence[str] = ()) -> tuple[Tool[Any], ...]:
    """Return the tools of the core and of the enabled capabilities.

    Args:
        selection: Words of --tools, which select some of these tools; see `read_selection`.
    """
    enabled = (tool for tool in TOOLS if tool.capability in {"core", *capabilities})
    return select(enabled, selection)
