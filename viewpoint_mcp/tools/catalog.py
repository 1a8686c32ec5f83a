"""All tools, group by group, in the order in which they are listed."""

from __future__ import annotations

from typing import Any

from viewpoint_mcp.tools import (
    contexts,
    dialogs,
    emulation,
    files,
    finding,
    forms,
    gallery,
    inspection,
    interaction,
    navigation,
    pictures,
    pointing,
    script,
    tabs,
    waiting,
)
from viewpoint_mcp.tools.registry import Tool

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
    script.evaluate,
    waiting.wait_for,
    dialogs.handle_dialog,
    files.file_upload,
    tabs.tabs,
    tabs.resize,
    emulation.emulate_media,
    tabs.close,
    contexts.create,
    contexts.switch,
    contexts.list_contexts,
    contexts.close,
    contexts.save_storage,
)
