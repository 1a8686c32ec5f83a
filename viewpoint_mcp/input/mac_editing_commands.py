"""The standard key bindings of macOS for text, as editing commands.

macOS turns keys into commands before they reach the renderer, and CDP's events bypass that step.
The commands are therefore sent with the event (`commands` of `Input.dispatchKeyEvent`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType

from viewpoint_mcp.input.keys import Modifier

_NONE, _SHIFT = Modifier.NONE, Modifier.SHIFT
_CONTROL, _ALT, _META = Modifier.CONTROL, Modifier.ALT, Modifier.META

# Movements of the caret. With Shift, they extend the selection.
_CARET_MOVES = {
    (_NONE, "ArrowUp"): "moveUp",
    (_NONE, "ArrowDown"): "moveDown",
    (_NONE, "ArrowLeft"): "moveLeft",
    (_NONE, "ArrowRight"): "moveRight",
    (_ALT, "ArrowLeft"): "moveWordLeft",
    (_ALT, "ArrowRight"): "moveWordRight",
    (_META, "ArrowLeft"): "moveToLeftEndOfLine",
    (_META, "ArrowRight"): "moveToRightEndOfLine",
    (_META, "ArrowUp"): "moveToBeginningOfDocument",
    (_META, "ArrowDown"): "moveToEndOfDocument",
    (_CONTROL, "ArrowLeft"): "moveToLeftEndOfLine",
    (_CONTROL, "ArrowRight"): "moveToRightEndOfLine",
    (_CONTROL, "KeyA"): "moveToBeginningOfParagraph",
    (_CONTROL, "KeyB"): "moveBackward",
    (_CONTROL, "KeyE"): "moveToEndOfParagraph",
    (_CONTROL, "KeyF"): "moveForward",
    (_CONTROL, "KeyN"): "moveDown",
    (_CONTROL, "KeyP"): "moveUp",
    (_CONTROL | _ALT, "KeyB"): "moveWordBackward",
    (_CONTROL | _ALT, "KeyF"): "moveWordForward",
}

_OTHER_COMMANDS = {
    (_NONE, "Backspace"): "deleteBackward",
    (_SHIFT, "Backspace"): "deleteBackward",
    (_ALT, "Backspace"): "deleteWordBackward",
    (_META, "Backspace"): "deleteToBeginningOfLine",
    (_CONTROL, "Backspace"): "deleteBackwardByDecomposingPreviousCharacter",
    (_CONTROL | _ALT, "Backspace"): "deleteWordBackward",
    (_NONE, "Delete"): "deleteForward",
    (_ALT, "Delete"): "deleteWordForward",
    (_CONTROL, "KeyD"): "deleteForward",
    (_CONTROL, "KeyH"): "deleteBackward",
    (_CONTROL, "KeyK"): "deleteToEndOfParagraph",
    (_CONTROL, "KeyT"): "transpose",
    (_CONTROL, "KeyV"): "pageDown",
    (_CONTROL, "KeyY"): "yank",
    (_ALT, "PageUp"): "pageUp",
    (_ALT, "PageDown"): "pageDown",
    (_NONE, "Home"): "scrollToBeginningOfDocument",
    (_NONE, "End"): "scrollToEndOfDocument",
    (_SHIFT, "Home"): "moveToBeginningOfDocumentAndModifySelection",
    (_SHIFT, "End"): "moveToEndOfDocumentAndModifySelection",
    (_NONE, "PageUp"): "scrollPageUp",
    (_NONE, "PageDown"): "scrollPageDown",
    (_SHIFT, "PageUp"): "pageUpAndModifySelection",
    (_SHIFT, "PageDown"): "pageDownAndModifySelection",
    (_CONTROL, "ArrowUp"): "scrollPageUp",
    (_CONTROL, "ArrowDown"): "scrollPageDown",
    (_ALT | _SHIFT, "ArrowUp"): "moveParagraphBackwardAndModifySelection",
    (_ALT | _SHIFT, "ArrowDown"): "moveParagraphForwardAndModifySelection",
    (_META, "KeyA"): "selectAll",
    (_META, "KeyC"): "copy",
    (_META, "KeyV"): "paste",
    (_META, "KeyX"): "cut",
    (_META, "KeyZ"): "undo",
    (_META | _SHIFT, "KeyZ"): "redo",
}

# Two commands each, because no single command does both.
_PARAGRAPH_MOVES = {
    (_ALT, "ArrowUp"): ("moveBackward", "moveToBeginningOfParagraph"),
    (_ALT, "ArrowDown"): ("moveForward", "moveToEndOfParagraph"),
}


def _pair_shortcuts_with_commands() -> Iterator[tuple[tuple[Modifier, str], tuple[str, ...]]]:
    for (mask, code), command in _CARET_MOVES.items():
        yield (mask, code), (command,)
        yield (mask | _SHIFT, code), (f"{command}AndModifySelection",)
    for keys, command in _OTHER_COMMANDS.items():
        yield keys, (command,)
    yield from _PARAGRAPH_MOVES.items()


EDITING_COMMANDS: Mapping[tuple[Modifier, str], tuple[str, ...]] = MappingProxyType(
    dict(_pair_shortcuts_with_commands())
)
"""Held modifiers and the key's `code` -> the editing commands, in order."""
