"""The catalog of all tools, by group, in the order of tools/list.

The tools of a capability are imported when it is enabled.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from types import MappingProxyType
from typing import Any, Final, TypeAlias

from viewpoint_mcp.tools.browser import (
    batch,
    contexts,
    emulation,
    install,
    navigate,
    tabs,
)
from viewpoint_mcp.tools.core.tool import Tool
from viewpoint_mcp.tools.core.tool_selection import select_tools
from viewpoint_mcp.tools.input import dialogs, forms, keyboard, mouse, upload
from viewpoint_mcp.tools.inspect import (
    console,
    evaluate,
    find,
    network,
    saved_screenshots,
    screenshot,
    snapshot,
    wait,
)

Tools: TypeAlias = tuple[Tool[Any], ...]

_CORE: Final[Tools] = (
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
)


def _list_vision_tools() -> Tools:
    from viewpoint_mcp.tools.input import mouse_xy

    return (
        mouse_xy.click_at_point,
        mouse_xy.move_mouse,
        mouse_xy.drag_between_points,
        mouse_xy.press_button,
        mouse_xy.release_button,
        mouse_xy.turn_wheel,
    )


def _list_pdf_tools() -> Tools:
    from viewpoint_mcp.tools.inspect import pdf

    return (pdf.save_pdf,)


def _list_storage_tools() -> Tools:
    from viewpoint_mcp.tools.browser import cookies, storage_state, web_storage

    return (
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
    )


def _list_network_tools() -> Tools:
    from viewpoint_mcp.tools.browser import network_control
    from viewpoint_mcp.tools.inspect import har

    return (
        network_control.add_route,
        network_control.list_routes,
        network_control.remove_routes,
        network_control.set_network_state,
        har.export_har,
    )


def _list_testing_tools() -> Tools:
    from viewpoint_mcp.tools.inspect import export_script, verification

    return (
        verification.verify_element_visible,
        verification.verify_text_visible,
        verification.verify_list_visible,
        verification.verify_value,
        verification.generate_locator,
        export_script.export_script,
    )


def _list_devtools_tools() -> Tools:
    from viewpoint_mcp.tools.devtools import emulate, highlight, tracing, video

    return (
        emulate.emulate,
        highlight.highlight_element,
        highlight.hide_highlight,
        tracing.start_tracing,
        tracing.stop_tracing,
        video.start_video,
        video.stop_video,
        video.add_chapter,
        video.show_actions,
        video.hide_actions,
    )


def _list_config_tools() -> Tools:
    from viewpoint_mcp.tools.devtools import config

    return (config.get_config,)


def _list_handoff_tools() -> Tools:
    from viewpoint_mcp.tools.handoff import ask_user, live_view

    return (ask_user.ask_user, live_view.open_live_view)


def _list_webmcp_tools() -> Tools:
    from viewpoint_mcp.tools.webmcp import webmcp

    return (webmcp.list_tools, webmcp.call_tool)


_CAPABILITIES: Final[Mapping[str, Callable[[], Tools]]] = MappingProxyType(
    {
        "vision": _list_vision_tools,
        "pdf": _list_pdf_tools,
        "storage": _list_storage_tools,
        "network": _list_network_tools,
        "testing": _list_testing_tools,
        "devtools": _list_devtools_tools,
        "config": _list_config_tools,
        "handoff": _list_handoff_tools,
        "webmcp": _list_webmcp_tools,
    }
)
OPTIONAL_CAPABILITIES: Final = tuple(_CAPABILITIES)
"""The capabilities that --caps enables."""


def list_all_tools() -> Tools:
    """Return the tools of the core and of all capabilities."""
    return (*_CORE, *(tool for list_tools in _CAPABILITIES.values() for tool in list_tools()))


def offered_tools(
    capabilities: AbstractSet[str], selection: Sequence[str] = ()
) -> tuple[Tool[Any], ...]:
    """Return the tools of the core and of the enabled capabilities.

    Args:
        selection: Words of --tools, which select some of these tools; see `parse_selection`.
    """
    enabled = [list_tools() for name, list_tools in _CAPABILITIES.items() if name in capabilities]
    return select_tools((*_CORE, *(tool for tools in enabled for tool in tools)), selection)
