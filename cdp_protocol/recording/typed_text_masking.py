"""Masking of typed text: the protocol does not show whether a field is a password field."""

from __future__ import annotations

from typing import Any

from cdp_protocol.recording.secret_patterns import MASK

_KEY_TEXT_FIELDS = frozenset({"text", "unmodifiedText", "key", "code", "keyIdentifier"})
_KEY_CODES = ("windowsVirtualKeyCode", "nativeVirtualKeyCode")
_ALT, _CTRL, _META = 1, 2, 4
_TEXT_PARAMETERS = {
    "Input.insertText": "text",
    "Input.imeSetComposition": "text",
    "Page.handleJavaScriptDialog": "promptText",
}


def mask_typed_text(message: dict[str, Any], typed_argument: str = "") -> None:
    """Mask typed text in a message.

    Args:
        message: The decoded message. It is changed in place.
        typed_argument: The name of the argument that holds typed text when the client calls
            functions in pages (`Runtime.callFunctionOn`); "" if it passes no typed text this way.
    """
    method, params = message.get("method"), message.get("params")
    if not isinstance(params, dict) or not isinstance(method, str):
        return
    if (name := _TEXT_PARAMETERS.get(method)) is not None:
        if params.get(name):
            params[name] = MASK
    elif method == "Input.dispatchKeyEvent" and _types_character(params):
        for name in _KEY_TEXT_FIELDS & params.keys():
            params[name] = MASK
        for name in _KEY_CODES:
            if name in params:
                params[name] = 0
    elif method == "Autofill.trigger" and isinstance(params.get("card"), dict):
        params["card"] = dict.fromkeys(params["card"], MASK)
    elif method == "Runtime.callFunctionOn" and typed_argument:
        _mask_named_argument(params.get("arguments"), typed_argument)


def _mask_named_argument(value: Any, name: str) -> None:
    if isinstance(value, list):
        for each in value:
            _mask_named_argument(each, name)
    elif isinstance(value, dict):
        for key, each in value.items():
            if key == name and isinstance(each, str):
                value[key] = MASK
            else:
                _mask_named_argument(each, name)


def _types_character(params: dict[str, Any]) -> bool:
    """Return whether a key event types a printable character and is not part of a shortcut."""
    text, key = (params.get(name) for name in ("text", "key"))
    text, key = (each if isinstance(each, str) else "" for each in (text, key))
    modifiers = params.get("modifiers", 0)
    pressed = modifiers if isinstance(modifiers, int) else 0
    is_altgr = bool(pressed & _ALT and pressed & _CTRL)
    if pressed & (_CTRL | _META) and not is_altgr:
        return False
    # On macOS, Alt without Ctrl types characters.
    if any(map(str.isprintable, text)) or not key.isascii():
        return True
    return len(key) == 1 and key.isprintable() and (is_altgr or not pressed & _ALT)
