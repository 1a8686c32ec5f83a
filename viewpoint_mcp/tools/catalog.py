"""All tools, group by group, in the order in which they are listed."""

from __future__ import annotations

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from typing import Any

from viewpoint_mcp.tools import (
    console,
    contexts,
    dialogs,
    emulation,
    files,
    finding,
    forms,
    gallery,
    inspection,
    installation,
    interaction,
    navigation,
    network,
    pdf,
    pictures,
    pointing,
    script,
    tabs,
    vision,
    waiting,
)
from viewpoint_mcp.tools.registry import Tool
from viewpoint_mcp.tools.selection import select

TOOLS: tuple[Tool[Any], ...] = (
    # The first is harmless when called with no arguments: clients try it to see that we live.
    inspection.snapshot,
    finding.find,
    pictures.take_screenshot,
    gallery.list_screenshots,
    gallery.get_screenshot,
    gallery.crop_screenshot,
    navigation.navigate,
    navigation.navigate_back,
    pointing.click,
    pointing.hover,
    pointing.drag,
    pointing.drop,
    pointing.scroll_into_view,
    interaction.type_text,
    forms.fill_form,
    forms.select_option,
    interaction.press_key,
    network.network_requests,
    network.network_request,
    script.evaluate,
    console.messages,
    waiting.wait_for,
    dialogs.handle_dialog,
    files.file_upload,
    tabs.tabs,
    tabs.resize,
    emulation.emulate_media,
    tabs.close,
    installation.install,
    contexts.create,
    contexts.switch,
    contexts.list_contexts,
    contexts.close,
    contexts.save_storage,
    # From here on those that --caps switches on, by capability.
    vision.click,
    vision.move,
    vision.drag,
    vision.down,
    vision.up,
    vision.wheel,
    pdf.save,
)


def offered(capabilities: AbstractSet[str], selection: Sequence[str] = ()) -> tuple[Tool[Any], ...]:
    """Return the tools that are always there, and those of the capabilities.

    Args:
        selection: The words that choose among them; see `selection`.
    """
    there = (tool for tool in TOOLS if tool.capability in {"core", *capabilities})
    return select(there, selection)
