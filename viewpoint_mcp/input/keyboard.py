"""The keyboard of one page: key presses, held keys, and text.

Every method may be cancelled while a dialog that a handler opened delays the answer; see
`dispatch`. Events that have started are completed, so no key stays down.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Iterator, Sequence

from viewpoint_mcp.input.dispatch import CdpSender, Event, EventDispatcher
from viewpoint_mcp.input.keys import (
    Key,
    Modifier,
    find_key,
    find_modifier_key,
    needs_shift,
    parse_combo,
)
from viewpoint_mcp.input.mac_editing_commands import EDITING_COMMANDS
from viewpoint_mcp.input.typing_steps import split_into_typing_steps


class Keyboard:
    """The keyboard of one page's target; keys held by `down` affect every later press.

    Args:
        session: CDP session of the page's target.
        is_mac: Whether the browser runs on macOS.
    """

    def __init__(self, session: CdpSender, *, is_mac: bool = sys.platform == "darwin") -> None:
        self._dispatcher = EventDispatcher(session)
        self._is_mac = is_mac
        self._held_keys: dict[str, Key] = {}
        self._interrupted_releases: list[Event] = []

    @property
    def modifiers(self) -> Modifier:
        """The modifiers that are held by `down`."""
        return _combine_modifiers(self._held_keys)

    def can_type(self, character: str) -> bool:
        """Return whether a key types a character with exactly the modifiers that are held."""
        key = find_key(character)
        return bool(key.code) and _typed_text(key, self.modifiers) == character

    async def press(self, combo: str) -> None:
        """Press and release a key while its modifiers are held (`Input.dispatchKeyEvent`).

        Args:
            combo: A combination as for `parse_combo`. A character without a key is inserted as
                text.

        Raises:
            CallError: No key has this name.
        """
        parsed = parse_combo(combo)
        if not parsed.key.code and not parsed.modifiers:
            await self.insert_text(parsed.key.text)
            return
        await self._send(self._make_press_events(parsed.key, parsed.modifiers))

    async def down(self, name: str) -> None:
        """Press a key and hold it; if it is already held, send a repeated press.

        Args:
            name: Name of a key, or a character; no combination.

        Raises:
            CallError: No key has this name.
        """
        key = find_key(name)
        repeats = key.code in self._held_keys
        self._held_keys[key.code] = key
        await self._dispatcher.send(self._make_down_event(key, self.modifiers, is_repeat=repeats))

    async def up(self, name: str) -> None:
        """Release a key.

        Args:
            name: Name of a key, or a character; no combination.

        Raises:
            CallError: No key has this name.
        """
        key = find_key(name)
        self._held_keys.pop(key.code, None)
        await self._dispatcher.send(_make_up_event(key, self.modifiers))

    async def release_all(self) -> None:
        """Release all held keys."""
        events = []
        while self._held_keys:
            _, key = self._held_keys.popitem()
            events.append(_make_up_event(key, self.modifiers))
        await self._dispatcher.send(*events)

    async def release_keys_again_after_dialog(self) -> None:
        """Release again the keys of a press that a dialog interrupted.

        Called after the dialog closed.

        Chromium may drop events that are sent while a dialog is open.
        """
        events, self._interrupted_releases = self._interrupted_releases, []
        await self._dispatcher.send(*events)

    async def type_text(self, text: str, *, delay: float | None = None) -> None:
        """Type a text key by key.

        Characters without a key are inserted. Characters that people write with an input method are
        composed as that method does (`Input.imeSetComposition`).

        Args:
            text: Any text. A line end is a press of Enter, a tab is a press of Tab.
            delay: Seconds between two keys; None for no delay.
        """
        is_first = True
        for stroke in split_into_typing_steps(text):
            for events in self._make_typing_events(
                stroke.key, stroke.text, is_composed=stroke.is_composed
            ):
                if delay and not is_first:
                    await asyncio.sleep(delay)
                await self._send(events)
                is_first = False

    async def insert_text(self, text: str) -> None:
        """Insert a text at the caret, as an input method does (`Input.insertText`).

        Args:
            text: Any text. The page receives input events, but no key events.
        """
        await self._dispatcher.send(("Input.insertText", {"text": text}))

    async def _send(self, events: Sequence[Event]) -> None:
        self._interrupted_releases = [event for event in events if event[1].get("type") == "keyUp"]
        await self._dispatcher.send(*events)
        self._interrupted_releases = []

    async def cancel_unanswered_calls(self) -> None:
        """Cancel the unanswered calls of cancelled presses. Idempotent."""
        await self._dispatcher.close()

    def _make_typing_events(
        self, key: Key | None, text: str, *, is_composed: bool
    ) -> Iterator[Sequence[Event]]:
        insertion = "Input.insertText", {"text": text}
        if key is not None:
            shift = (find_modifier_key("Shift"),) if needs_shift(key, text) else ()
            yield self._make_press_events(key, shift)
        elif is_composed:
            for length in range(1, len(text) + 1):
                yield _make_composition_events(text[:length])
            yield (insertion,)
        else:
            yield (insertion,)

    def _make_press_events(self, key: Key, modifiers: Sequence[Key]) -> list[Event]:
        events: list[Event] = []
        active = self.modifiers
        new_modifiers = [modifier for modifier in modifiers if not modifier.modifier & active]
        for modifier in new_modifiers:
            active |= modifier.modifier
            events.append(self._make_down_event(modifier, active))
        events.append(self._make_down_event(key, active | key.modifier))
        events.append(_make_up_event(key, active))
        for modifier in reversed(new_modifiers):
            active &= ~modifier.modifier
            events.append(_make_up_event(modifier, active))
        return events

    def _make_down_event(self, key: Key, modifiers: Modifier, *, is_repeat: bool = False) -> Event:
        text = _typed_text(key, modifiers)
        params = _key_event_params(key, modifiers) | {
            "type": "keyDown" if text else "rawKeyDown",
            "text": text,
            "unmodifiedText": text,
            "autoRepeat": is_repeat,
        }
        if self._is_mac and (commands := EDITING_COMMANDS.get((modifiers, key.code))):
            params["commands"] = [*commands]
        return "Input.dispatchKeyEvent", params


def _make_up_event(key: Key, modifiers: Modifier) -> Event:
    return "Input.dispatchKeyEvent", _key_event_params(key, modifiers) | {"type": "keyUp"}


def _make_composition_events(text: str) -> list[Event]:
    """Return the events of one key that an input method handles, with the text composed so far."""
    key = {"key": "Process", "windowsVirtualKeyCode": 229}
    end = len(text.encode("utf-16-le")) // 2
    composition = {"text": text, "selectionStart": end, "selectionEnd": end}
    return [
        ("Input.dispatchKeyEvent", key | {"type": "rawKeyDown"}),
        ("Input.imeSetComposition", composition),
        ("Input.dispatchKeyEvent", key | {"type": "keyUp"}),
    ]


def _key_event_params(key: Key, modifiers: Modifier) -> dict[str, object]:
    shifted = key.shifted_text if Modifier.SHIFT in modifiers and key.key == key.text else ""
    return {
        "key": shifted or key.key,
        "code": key.code,
        "windowsVirtualKeyCode": key.key_code,
        "location": key.location if key.location < 3 else 0,
        "isKeypad": key.location == 3,
        "modifiers": int(modifiers),
    }


def _typed_text(key: Key, modifiers: Modifier) -> str:
    """Return the text that a key types; "" with Control, Alt or Meta, which make it a command."""
    if modifiers & ~Modifier.SHIFT:
        return ""
    return key.shifted_text if Modifier.SHIFT in modifiers else key.text


def _combine_modifiers(held_keys: dict[str, Key]) -> Modifier:
    mask = Modifier.NONE
    for key in held_keys.values():
        mask |= key.modifier
    return mask
