"""The keyboard of one page: presses, held keys, text.

Every method may be cancelled while a dialog that a handler opened keeps the answer back; see
`dispatch`. What was begun is finished: no key stays down.
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
    """Keys of one page's target; those held by `down` count for every later press.

    Args:
        session: The session of the page's target.
        mac: Whether the browser runs on macOS.
    """

    def __init__(self, session: Sender, *, mac: bool = sys.platform == "darwin") -> None:
        self._dispatcher = Dispatcher(session)
        self._mac = mac
        self._held: dict[str, Key] = {}
        self._lost: list[Event] = []

    @property
    def modifiers(self) -> Modifier:
        """The modifiers that are held, for the mouse too."""
        return _modifiers_of(self._held)

    async def press(self, combo: str) -> None:
        """Press and release a key, with modifiers held around it (`Input.dispatchKeyEvent`).

        Args:
            combo: As `parse_combo` reads it. A character that no key types is inserted as text.

        Raises:
            CallError: There is no such key.
        """
        parsed = parse_combo(combo)
        if not parsed.key.code and not parsed.modifiers:
            await self.insert_text(parsed.key.text)
            return
        await self._send(self._press_events(parsed.key, parsed.modifiers))

    async def down(self, name: str) -> None:
        """Press a key and hold it; a key that is held already repeats.

        Args:
            name: A key's name or a character, no combination.

        Raises:
            CallError: There is no such key.
        """
        key = find_key(name)
        repeats = key.code in self._held
        self._held[key.code] = key
        await self._dispatcher.send(self._down_event(key, self.modifiers, repeats=repeats))

    async def up(self, name: str) -> None:
        """Let go of a key.

        Args:
            name: A key's name or a character, no combination.

        Raises:
            CallError: There is no such key.
        """
        key = find_key(name)
        self._held.pop(key.code, None)
        await self._dispatcher.send(_up_event(key, self.modifiers))

    async def release_all(self) -> None:
        """Let go of every key that is held."""
        events = []
        while self._held:
            _, key = self._held.popitem()
            events.append(_up_event(key, self.modifiers))
        await self._dispatcher.send(*events)

    async def lift(self) -> None:
        """Let go once more of the keys of a press that a dialog interrupted, now that it is
        answered: what is sent while one is open Chromium may drop.
        """
        lost, self._lost = self._lost, []
        await self._dispatcher.send(*lost)

    async def type_text(self, text: str, *, delay: float | None = None) -> None:
        """Type a text key by key. Characters that no key types are inserted; those that people
        write with an input method are composed as that does (`Input.imeSetComposition`).

        Args:
            text: Any text; a line end is a press of Enter, a tab one of Tab.
            delay: Seconds between one key and the next; None for none.
        """
        is_first = True
        for stroke in strokes(text):
            for events in self._typing_events(stroke.key, stroke.text, composed=stroke.is_composed):
                if delay and not is_first:
                    await asyncio.sleep(delay)
                await self._send(events)
                is_first = False

    async def insert_text(self, text: str) -> None:
        """Put a text where the caret is, as an input method does (`Input.insertText`).

        Args:
            text: Any text; no key events come of it, only input events.
        """
        await self._dispatcher.send(("Input.insertText", {"text": text}))

    async def _send(self, events: Sequence[Event]) -> None:
        self._lost = [event for event in events if event[1].get("type") == "keyUp"]
        await self._dispatcher.send(*events)
        self._lost = []

    async def close(self) -> None:
        """Cancel what cancelled presses left unanswered. Idempotent."""
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
    """One key that the input method takes for itself, and the text that it makes of it so far."""
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
    """With Control, Alt or Meta a key is a command and types nothing."""
    if mask & ~Modifier.SHIFT:
        return ""
    return key.shifted if Modifier.SHIFT in mask else key.text


def _modifiers_of(held: dict[str, Key]) -> Modifier:
    mask = Modifier.NONE
    for key in held.values():
        mask |= key.modifier
    return mask
