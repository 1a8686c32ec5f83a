"""The steps of a recorded session, named by what a reply shows, for any server.

Names, anchors and facts are regular expressions. A name is matched as a whole.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypedDict, Unpack

PLAIN = re.compile(r"[^\\.*+?()\[\]|^$]+")  # a text that is not a pattern


@dataclass(frozen=True, slots=True)
class Locator:
    """An element in words that need no reply of the page that has it.

    Attributes:
        role: Of the element.
        name: Its accessible name; empty if it has none.
        container: The element around it, such as `row "Anna"`; empty if the name is enough.
    """

    role: str
    name: str
    container: str = ""

    def __str__(self) -> str:
        name = f' "{self.name}"' if self.name else ""
        return self.role + name + (f" in {self.container}" if self.container else "")


@dataclass(frozen=True, slots=True)
class Target:
    """An element as an agent finds it in a reply.

    Attributes:
        role: Of the element.
        name: Its accessible name or its hint, or its text if it has no name. An empty alternative
            at the end also finds an element without any.
        after: A text in front of the element; the first element after it is the target.
        before: A text behind the element; the last element before it is the target.
        is_new: Whether the last call made it appear, so that earlier replies show another one.
        inside: The container that only this element is in, in the words of a locator, such as
            `row "Anna"`.
        plain_name: The name for a locator, if `name` is a pattern, or if no other element has it
            in spite of `after` or `before`.
    """

    role: str
    name: str
    after: str = ""
    before: str = ""
    is_new: bool = False
    inside: str = ""
    plain_name: str = ""

    def find_locator(self) -> Locator | None:
        """Return the locator, if role and name, or the container, are enough to find it."""
        if (self.after or self.before) and not (self.inside or self.plain_name):
            return None
        name = self.plain_name or (self.name if PLAIN.fullmatch(self.name) else "")
        is_enough = name or (self.inside and (not self.name or self.name.endswith("|")))
        return Locator(self.role.partition("|")[0], name, self.inside) if is_enough else None


class Where(TypedDict, total=False):
    """The attributes of a target beside role and name."""

    after: str
    before: str
    is_new: bool
    inside: str
    plain_name: str


@dataclass(frozen=True, slots=True)
class Step:
    """One step: a call of a tool, or a fact that the agent must have read.

    Attributes:
        action: The kind of step; a function of this module has the same name.
        target: The element, for an action on one.
        values: Values of the action, by name. `leaves` marks an action that opens another document.
        fields: Targets and values of a form.
    """

    action: str
    target: Target | None = None
    values: Mapping[str, object] = field(default_factory=dict)
    fields: Sequence[tuple[Target, str]] = ()

    @property
    def targets(self) -> list[Target]:
        """All elements that the step is about."""
        return [self.target] if self.target else [target for target, _ in self.fields]

    @property
    def leaves(self) -> bool:
        """Whether the step opens another document, which makes refs void."""
        return self.action == "open" or bool(self.values.get("leaves"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Session:
    """A task on one application.

    Attributes:
        application: The name of the script in `apps` that starts it.
        task: The task, as an agent gets it.
        steps: The calls that solved it.
        proof: A JavaScript function that returns the state of the application afterwards.
        expected: What the state must contain.
        files: Files in the server's working directory, by name.
        path: A path of the application that answers when it is ready.
    """

    name: str
    application: str
    task: str
    steps: Sequence[Step]
    proof: str
    expected: str
    files: Mapping[str, str] = field(default_factory=dict)
    path: str = "/"


def open_page(path: str) -> Step:
    """Navigate to a path of the application."""
    return Step("open", values={"path": path})


def click(
    role: str, name: str, *, double: bool = False, leaves: bool = False, **where: Unpack[Where]
) -> Step:
    """Click an element, or double-click it; `leaves` if that opens another document."""
    return Step("click", Target(role, name, **where), {"double": double, "leaves": leaves})


def hover(role: str, name: str, **where: Unpack[Where]) -> Step:
    """Move the mouse over an element."""
    return Step("hover", Target(role, name, **where))


def type_text(
    role: str, name: str, text: str, *, submit: bool = False, **where: Unpack[Where]
) -> Step:
    """Replace the text of a field, and press Enter if `submit` is set."""
    return Step("type", Target(role, name, **where), {"text": text, "submit": submit})


def select_text(role: str, name: str, text: str, **where: Unpack[Where]) -> Step:
    """Select a text in an editor."""
    return Step("select_text", Target(role, name, **where), {"text": text})


def insert(text: str) -> Step:
    """Type a text at the caret."""
    return Step("insert", values={"text": text})


def fill(*fields: tuple[str, str, str]) -> Step:
    """Fill in several fields, each given by role, name and value."""
    return Step("fill", fields=[(Target(role, name), value) for role, name, value in fields])


def select(role: str, name: str, value: str, **where: Unpack[Where]) -> Step:
    """Select an option of a list."""
    return Step("select", Target(role, name, **where), {"value": value})


def press(key: str, *, leaves: bool = False) -> Step:
    """Press a key."""
    return Step("press", values={"key": key, "leaves": leaves})


def upload(role: str, name: str, file: str, **where: Unpack[Where]) -> Step:
    """Choose a file of the session with the element that opens the file chooser."""
    return Step("upload", Target(role, name, **where), {"file": file})


def answer_dialog(*, accept: bool = True, text: str | None = None) -> Step:
    """Answer the open dialog."""
    return Step("dialog", values={"accept": accept, "text": text})


def wait(text: str) -> Step:
    """Wait until a text appears."""
    return Step("wait", values={"text": text})


def wait_gone(text: str) -> Step:
    """Wait until a text disappears."""
    return Step("wait_gone", values={"text": text})


def think() -> Step:
    """Pause, as an agent does between its calls: pages save their state in the meantime."""
    return Step("think")


def find(text: str) -> Step:
    """Search the page for a text."""
    return Step("find", values={"text": text})


def picture() -> Step:
    """Take a screenshot."""
    return Step("picture")


def evaluate(function: str) -> Step:
    """Run a function in the page."""
    return Step("evaluate", values={"function": function})


def read(*facts: str) -> Step:
    """Require facts that the agent must know to go on.

    If the last reply does not show them, the player looks again, as an agent would.
    """
    return Step("read", values={"facts": facts})
