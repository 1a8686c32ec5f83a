"""The keyboard of one page: key presses, held keys, and text.

Every method may be cancelled while a dialog that a handler opened delays the answer; see
`dispatch`. Events that have started are completed, so no key stays down.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Iterator, Sequence

from viewpoint_mcp.input.dispatch import Dispatcher, Event, Sender
from viewpoint_mcp.input.keys import (
    Key,
    Modifier,
    find_key,
    find_modifier,
    is_shifted,
    parse_combo,
)
from viewpoint_mcp.input.mac import COMMANDS
from viewpoint_mcp.input.strokes import strokes


class Keyboard:
    """The keyboard of one page's target; keys held by `down` affect every later press.

    Args:
        session: CDP session of the page's target.
        mac: Whether the browser runs on macOS.
    """

    def __init__(self, session: Sender, *, mac: bool = sys.platform == "darwin") -> None:
        self._dispatcher = Dispatcher(session)
        self._mac = mac
        self._held: dict[str, Key] = {}
        self._lost: list[Event] = []

    @property
    def modifiers(self) -> Modifier:
        """The modifiers that are held by `down`."""
        return _modifiers_of(self._held)

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
        await self._send(self._press_events(parsed.key, parsed.modifiers))

    async def down(self, name: str) -> None:
        """Press a key and hold it; if it is already held, send a repeated press.

        Args:
            name: Name of a key, or a character; no combination.

        Raises:
            CallError: No key has this name.
        """
        key = find_key(name)
        repeats = key.code in self._held
        self._held[key.code] = key
        await self._dispatcher.send(self._down_event(key, self.modifiers, repeats=repeats))

    async def up(self, name: str) -> None:
        """Release a key.

        Args:
            name: Name of a key, or a character; no combination.

        Raises:
            CallError: No key has this name.
        """
        key = find_key(name)
        self._held.pop(key.code, None)
        await self._dispatcher.send(_up_event(key, self.modifiers))

    async def release_all(self) -> None:
        """Release all held keys."""
        events = []
        while self._held:
            _, key = self._held.popitem()
            events.append(_up_event(key, self.modifiers))
        await self._dispatcher.send(*events)

    async def lift(self) -> None:
        """Release again the keys of a press that a dialog interrupted; called after the dialog
        closed.

        Chromium may drop events that are sent while a dialog is open.
        """
        lost, self._lost = self._lost, []
        await self._dispatcher.send(*lost)

    async def type_text(self, text: str, *, delay: float | None = None) -> None:
        """Type a text key by key.

        Characters without a key are inserted. Characters that people write with an input method are
        composed as that method does (`Input.imeSetComposition`).

        Args:
            text: Any text. A line end is a press of Enter, a tab is a press of Tab.
            delay: Seconds between two keys; None for no delay.
        """
        is_first = True
        for stroke in strokes(text):
            for events in self._typing_events(stroke.key, stroke.text, composed=stroke.is_composed):
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
        self._lost = [event for event in events if event[1].get("type") == "keyUp"]
        await self._dispatcher.send(*events)
        self._lost = []

    async def close(self) -> None:
        """Cancel the unanswered calls of cancelled presses. Idempotent."""
        await self._dispatcher.close()

    def _typing_events(
        self, key: Key | None, text: str, *, composed: bool
    ) -> Iterator[Sequence[Event]]:
        insertion = "Input.insertText", {"text": text}
        if key is not None:
            shift = (find_modifier("Shift"),) if is_shifted(key, text) else ()
            yield self._press_events(key, shift)
        elif composed:
            for length in range(1, len(text) + 1):
                yield _composition_events(text[:length])
            yield (insertion,)
        else:
            yield (insertion,)

    def _press_events(self, key: Key, modifiers: Sequence[Key]) -> list[Event]:
        events: list[Event] = []
        mask = self.modifiers
        pressed = [held for held in modifiers if not held.modifier & mask]
        for held in pressed:
            mask |= held.modifier
            events.append(self._down_event(held, mask))
        events.append(self._down_event(key, mask | key.modifier))
        events.append(_up_event(key, mask))
        for held in reversed(pressed):
            mask &= ~held.modifier
            events.append(_up_event(held, mask))
        return events

    def _down_event(self, key: Key, mask: Modifier, *, repeats: bool = False) -> Event:
        text = _text_of(key, mask)
        params = _described(key, mask) | {
            "type": "keyDown" if text else "rawKeyDown",
            "text": text,
            "unmodifiedText": text,
            "autoRepeat": repeats,
        }
        if self._mac and (commands := COMMANDS.get((mask, key.code))):
            params["commands"] = [*commands]
        return "Input.dispatchKeyEvent", params


def _up_event(key: Key, mask: Modifier) -> Event:
    return "Input.dispatchKeyEvent", _described(key, mask) | {"type": "keyUp"}


def _composition_events(text: str) -> list[Event]:
    """Return the events of one key that an input method handles, with the text composed so far."""
    key = {"key": "Process", "windowsVirtualKeyCode": 229}
    end = len(text.encode("utf-16-le")) // 2
    composition = {"text": text, "selectionStart": end, "selectionEnd": end}
    return [
        ("Input.dispatchKeyEvent", key | {"type": "rawKeyDown"}),
        ("Input.imeSetComposition", composition),
        ("Input.dispatchKeyEvent", key | {"type": "keyUp"}),
    ]


def _described(key: Key, mask: Modifier) -> dict[str, object]:
    shifted = key.shifted if Modifier.SHIFT in mask and key.key == key.text else ""
    return {
        "key": shifted or key.key,
        "code": key.code,
        "windowsVirtualKeyCode": key.key_code,
        "location": key.location if key.location < 3 else 0,
        "isKeypad": key.location == 3,
        "modifiers": int(mask),
    }


def _text_of(key: Key, mask: Modifier) -> str:
    """Return the text that a key types; "" with Control, Alt or Meta, which make it a command."""
    if mask & ~Modifier.SHIFT:
        return ""
    return key.shifted if Modifier.SHIFT in mask else key.text


def _modifiers_of(held: dict[str, Key]) -> Modifier:
    mask = Modifier.NONE
    for key in held.values():
        mask |= key.modifier
    return mask
