"""What the description adds to an error: what was meant, or what was wrong with the parameters.

Asked when an error is told. The browser is right whatever the description says, which may be of
another one; so it only adds, and where it knows nothing it is silent.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from cdp_protocol.description import Description
from cdp_protocol.description.names import meant


def unknown_command(method: str) -> str:
    """Why a browser may not know a command, in sentences."""
    description = _bundled()
    if description is None:
        return f"{method} is no command of this browser."
    if description.event(method) is not None:
        return f"{method} is an event, no command: it is listened to, not sent."
    if description.command(method) is None:
        likely = meant(description.suggest(method, description.commands()))
        return f"{method} is no command of this browser.{likely}"
    return (
        f"{method} is no command here. {description.revision} has it: perhaps this target is of"
        " another kind, or the browser is of another version."
    )


def invalid_parameters(method: str, params: Mapping[str, Any] | None) -> str:
    """What is wrong with parameters, in sentences; "" where nothing is found."""
    description = _bundled()
    if description is None or description.command(method) is None:
        return ""
    return " ".join(description.problems(method, params))


def keywords_only(method: str) -> str:
    """How a command is called whose arguments were not named, a sentence."""
    description = _bundled()
    command = description.command(method) if description is not None else None
    if command is not None and not command.get("parameters"):
        return f"{method} takes no arguments."
    first = command["parameters"][0]["name"] if command is not None else "name"
    return f"{method} takes keywords: {method}({first}=…)."


def unheard(name: str) -> str:
    """Why nothing may have been heard of a command or an event; "" where it exists."""
    description = _bundled()
    if description is None or description.command(name) or description.event(name):
        return ""
    likely = meant(description.suggest(name, [*description.events(), *description.commands()]))
    return f"There is no such event in {description.revision}, nor such a command.{likely}"


def _bundled() -> Description | None:
    try:
        return Description.bundled()
    except (OSError, ValueError):
        return None  # an error is told all the same
