"""Masking of typed text: the protocol does not show whether a field is a password field."""

from __future__ import annotations

from typing import Any

from cdp_protocol.recording.secret_patterns import MASK

_TELLING = frozenset({"text", "unmodifiedText", "key", "code", "keyIdentifier"})
_KEY_CODES = ("windowsVirtualKeyCode", "nativeVirtualKeyCode")
_ALT, _CTRL, _META = 1, 2, 4
_TEXTS = {
    "Input.insertText": "text",
    "Input.imeSetComposition": "text",
    "Page.handleJavaScriptDialog": "promptText",
}


def mask_typed(message: dict[str, Any], argument: str = "") -> None:
    """Mask typed text in a message.

    Args:
        message: The decoded message. It is changed in place.
        argument: The name of the argument that holds typed text when the client calls functions in
            pages (`Runtime.callFunctionOn`); "" if the client passes no typed text this way.
    """
    method, params = message.get("method"), message.get("params")
    if not isinstance(params, dict) or not isinstance(method, str):
        return
    if (name := _TEXTS.get(method)) is not None:
        if params.get(name):
            params[name] = MASK
    elif method == "Input.dispatchKeyEvent" and _is_letter(params):
        for name in _TELLING & params.keys():
            params[name] = MASK
        for name in _KEY_CODES:
            if name in params:
                params[name] = 0
    elif method == "Autofill.trigger" and isinstance(params.get("card"), dict):
        params["card"] = dict.fromkeys(params["card"], MASK)
    elif method == "Runtime.callFunctionOn" and argument:
        _mask_named(params.get("arguments"), argument)


def _mask_named(value: Any, name: str) -> None:
    if isinstance(value, list):
        for each in value:
            _mask_named(each, name)
    elif isinstance(value, dict):
        for key, each in value.items():
            if key == name and isinstance(each, str):
                value[key] = MASK
            else:
                _mask_named(each, name)


def _is_letter(params: dict[str, Any]) -> bool:
    """Return whether a key event types a printable character and is not part of a shortcut."""
    text, key = (params.get(name) for name in ("text", "key"))
    text, key = (each if isinstance(each, str) else "" for each in (text, key))
    modifiers = params.get("modifiers", 0)
    held = modifiers if isinstance(modifiers, int) else 0
    is_altgr = bool(held & _ALT and held & _CTRL)
    if held & (_CTRL | _META) and not is_altgr:
        return False
    # On macOS, Alt without Ctrl types characters.
    if any(map(str.isprintable, text)) or not key.isascii():
        return True
    return len(key) == 1 and key.isprintable() and (is_altgr or not held & _ALT)
