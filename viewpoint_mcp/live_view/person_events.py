"""The events that a viewer sends: JSON objects whose `type` names the event.

Points are shares of the picture: (0, 0) is its upper left corner, and (1, 1) its lower right one.
"""

from __future__ import annotations

from typing import Annotated, Final

import msgspec
from msgspec import Meta, Struct

from viewpoint_mcp.errors import CallError
from viewpoint_mcp.input.mouse import Button

_MAX_EVENTS: Final = 500
_MAX_TEXT: Final = 1_000_000  # characters

Clicks = Annotated[int, Meta(ge=1, le=3)]
KeyName = Annotated[str, Meta(min_length=1, max_length=40)]
Share = Annotated[float, Meta(ge=-10, le=10)]
Text = Annotated[str, Meta(max_length=_MAX_TEXT)]


class PersonEvent(Struct, frozen=True, tag_field="type"):
    """Something that the person does."""


class TakeControl(PersonEvent, frozen=True, tag="take"):
    """Begins to hand the input through. Fails if another viewer has control."""


class ReleaseControl(PersonEvent, frozen=True, tag="release"):
    """Ends the control."""


class ShowTab(PersonEvent, frozen=True, tag="tab"):
    """Shows a tab.

    Args:
        tab: Its CDP target id; None to follow the tab that the agent uses.
    """

    tab: str | None = None


class AnswerDialog(PersonEvent, frozen=True, tag="dialog"):
    """Answers the open dialog.

    Args:
        text: The text for a prompt.
    """

    accept: bool
    text: Text | None = None


class CancelFileChooser(PersonEvent, frozen=True, tag="cancelFiles"):
    """Cancels the open file chooser."""


class MoveMouse(PersonEvent, frozen=True, tag="move"):
    """Moves the mouse."""

    x: Share
    y: Share


class PressButton(PersonEvent, frozen=True, tag="press"):
    """Presses a mouse button.

    Args:
        clicks: The number of the click in a series: 2 for the second one of a double click.
    """

    x: Share
    y: Share
    button: Button = "left"
    clicks: Clicks = 1


class ReleaseButton(PersonEvent, frozen=True, tag="up"):
    """Releases a mouse button; see `PressButton`."""

    x: Share
    y: Share
    button: Button = "left"
    clicks: Clicks = 1


class TurnWheel(PersonEvent, frozen=True, tag="wheel"):
    """Turns the wheel.

    Args:
        right: Pixels to the right.
        down: Pixels down.
    """

    x: Share
    y: Share
    right: float = 0
    down: float = 0


class PressKey(PersonEvent, frozen=True, tag="key"):
    """Presses a key, and holds it.

    Args:
        key: DOM `KeyboardEvent.key`.
        code: DOM `KeyboardEvent.code`.
        types: Whether the key types the character that `key` is.
    """

    key: KeyName
    code: str = ""
    types: bool = False


class ReleaseKey(PersonEvent, frozen=True, tag="keyUp"):
    """Releases a key; see `PressKey`."""

    key: KeyName
    code: str = ""


class ReleaseEverything(PersonEvent, frozen=True, tag="releaseAll"):
    """Releases all held keys and buttons."""


class InsertText(PersonEvent, frozen=True, tag="text"):
    """Inserts a text from the clipboard or from an input method."""

    text: Text


AnyEvent = (
    TakeControl
    | ReleaseControl
    | ShowTab
    | AnswerDialog
    | CancelFileChooser
    | MoveMouse
    | PressButton
    | ReleaseButton
    | TurnWheel
    | PressKey
    | ReleaseKey
    | ReleaseEverything
    | InsertText
)


class PersonMessage(Struct, frozen=True):
    """The events of a viewer since its last message.

    Args:
        viewer: The random name of the viewer.
        picture: The number of the picture that the person saw.
    """

    viewer: Annotated[str, Meta(min_length=8, max_length=64)]
    picture: int
    events: Annotated[list[AnyEvent], Meta(max_length=_MAX_EVENTS)]


_decoder = msgspec.json.Decoder(PersonMessage)


def parse_message(body: bytes) -> PersonMessage:
    """Parse the JSON text of a message.

    Raises:
        CallError: The text has another form. The error quotes nothing of it.
    """
    try:
        return _decoder.decode(body)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise CallError(f"The message of the viewer is malformed: {error}") from None
