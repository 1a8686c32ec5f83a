"""The catalog of all tools, by group, in the order of tools/list."""

from __future__ import annotations

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from typing import Any

from viewpoint_mcp.tools.browser import (
    batch,
    contexts,
    cookies,
    emulation,
    install,
    navigate,
    network_control,
    storage_state,
    tabs,
    web_storage,
)
from viewpoint_mcp.tools.core.tool import Tool
from viewpoint_mcp.tools.core.tool_selection import select_tools
from viewpoint_mcp.tools.input import dialogs, forms, keyboard, mouse, mouse_xy, upload
from viewpoint_mcp.tools.inspect import (
    console,
    evaluate,
    find,
    har,
    network,
    pdf,
    saved_screenshots,
    screenshot,
    snapshot,
    verification,
    wait,
)

TOOLS: tuple[Tool[Any], ...] = (
    # Clients call the first tool without arguments as a health check, so it must be harmless.
    snapshot.take_snapshot,
    find.find_in_snapshot,
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
    keyboard.select_text,
    forms.fill_form,
    forms.select_option,
    keyboard.press_key,
    network.list_requests,
    network.show_request,
    evaluate.evaluate_script,
    console.list_console_messages,
    wait.wait_for,
    batch.run_batch,
    dialogs.handle_dialog,
    upload.upload_files,
    tabs.manage_tabs,
    tabs.resize_viewport,
    emulation.emulate_media,
    tabs.close_page,
    install.install_browser,
    contexts.create_context,
    contexts.switch_context,
    contexts.list_contexts,
    contexts.close_context,
    contexts.save_storage,
    # Tools of capabilities, which --caps enables.
    mouse_xy.click_at_point,
    mouse_xy.move_mouse,
    mouse_xy.drag_between_points,
    mouse_xy.press_button,
    mouse_xy.release_button,
    mouse_xy.turn_wheel,
    pdf.save_pdf,
    cookies.list_cookies,
    cookies.get_cookie,
    cookies.set_cookie,
    cookies.delete_cookie,
    cookies.clear_cookies,
    web_storage.list_local_storage,
    web_storage.get_local_storage_item,
    web_storage.set_local_storage_item,
    web_storage.delete_local_storage_item,
    web_storage.clear_local_storage,
    web_storage.list_session_storage,
    web_storage.get_session_storage_item,
    web_storage.set_session_storage_item,
    web_storage.delete_session_storage_item,
    web_storage.clear_session_storage,
    storage_state.save_storage_state,
    storage_state.set_storage_state,
    network_control.add_route,
    network_control.list_routes,
    network_control.remove_routes,
    network_control.set_network_state,
    har.export_har,
    verification.verify_element_visible,
    verification.verify_text_visible,
    verification.verify_list_visible,
    verification.verify_value,
    verification.generate_locator,
)


def offered_tools(
    capabilities: AbstractSet[str], selection: Sequence[str] = ()
) -> tuple[Tool[Any], ...]:
    """Return the tools of the core and of the enabled capabilities.

    Args:
        selection: Words of --tools, which select some of these tools; see `parse_selection`.
    """
    enabled = (tool for tool in TOOLS if tool.capability in {"core", *capabilities})
    return select_tools(enabled, selection)
