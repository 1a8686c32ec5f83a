"""Statements of Playwright code, independent of the language."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from viewpoint_mcp.accessibility.search.playwright_locator import Step

Value = Any
"""A string, a number, a boolean, None, a list or dict of values, a `Variable`, a `UrlPart`,
a `PageFunction` or a `LocatorArgument`."""


@dataclass(frozen=True, slots=True)
class Variable:
    """A name in the code."""

    name: str


@dataclass(frozen=True, slots=True)
class PageFunction:
    """A JavaScript function that runs in the page.

    TypeScript needs it as code: Playwright calls no function in a string there, but in Python.
    """

    source: str


@dataclass(frozen=True, slots=True)
class UrlPart:
    """A function that returns whether a URL contains a text."""

    text: str


@dataclass(frozen=True, slots=True)
class LocatorArgument:
    """A locator as an argument.

    Args:
        subject: The variable of the page.
        steps: The steps of the locator.
    """

    subject: str
    steps: Sequence[Step]


@dataclass(frozen=True, slots=True)
class Method:
    """A call of a method.

    Args:
        subject: The variable: "page", "context1".
        name: The method in camelCase, with the property before it: "click", "keyboard.press".
        arguments: The arguments.
        options: The options by their names in camelCase.
        steps: The steps of the locator between subject and method; empty for none.
        result: The variable for the result; "" for none.
    """

    subject: str
    name: str
    arguments: Sequence[Value] = ()
    options: Mapping[str, Value] = field(default_factory=dict)
    steps: Sequence[Step] = ()
    result: str = ""


@dataclass(frozen=True, slots=True)
class Expectation:
    """An assertion about a locator.

    Args:
        subject: The variable of the page.
        steps: The steps of the locator.
        matcher: The method in camelCase: "toBeVisible".
        is_negated: Whether the opposite is asserted.
    """

    subject: str
    steps: Sequence[Step]
    matcher: str
    arguments: Sequence[Value] = ()
    is_negated: bool = False


@dataclass(frozen=True, slots=True)
class Comment:
    """A line for readers.

    Args:
        is_substitute: Whether it stands for a call that code cannot express.
    """

    text: str
    is_substitute: bool = False


Statement = Method | Expectation | Comment


@dataclass(frozen=True, slots=True)
class DialogAnswer:
    """The answer to a dialog.

    Args:
        prompt_text: The text for a prompt; None for its default text.
    """

    accepts: bool
    prompt_text: str | None = None


@dataclass(slots=True)
class Passage:
    """The statements of one call, with the events that they cause.

    Attributes:
        page: The variable of the page; "" for a call that acted on none.
        statements: The statements.
        popups: The variables of the pages that the statements open.
        file_chooser: The variable of the file chooser that they open; "" for none.
        dialog_answers: The answers to the dialogs that they open, in that order.
        is_observation: Whether a test can do without them, such as a screenshot.
    """

    page: str
    statements: list[Statement]
    popups: list[str] = field(default_factory=list)
    file_chooser: str = ""
    dialog_answers: list[DialogAnswer] = field(default_factory=list)
    is_observation: bool = False
