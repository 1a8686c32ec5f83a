"""Hints for errors, from the protocol description.

The description may be of another version than the browser, so the browser's response decides. A
hint only adds to the error, and is empty if the description does not explain the error.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from cdp_protocol.description import Description
from cdp_protocol.description.name_suggestions import did_you_mean
from cdp_protocol.errors import INVALID_PARAMS, CallTimeout, CdpError, ProtocolError


def explain_error(description: Description, error: CdpError) -> str:
    """Return sentences that explain an error; "" if the description does not explain it."""
    match error:
        case ProtocolError() if error.is_unknown_command:
            return _explain_unknown_command(description, error.method)
        case ProtocolError(code=code) if code == INVALID_PARAMS:
            return _explain_wrong_parameters(description, error.method, error.params)
        case CallTimeout():
            return _explain_timeout(description, error.method)
    return ""


def keyword_call_hint(method: str) -> str:
    """Return a sentence that shows how to call a command with keyword arguments."""
    command = Description.bundled().command(method)
    if command is not None and not command.get("parameters"):
        return f"{method} takes no arguments."
    first = command["parameters"][0]["name"] if command is not None else "name"
    return f"{method} accepts only keywords: {method}({first}=…)."


def _explain_unknown_command(description: Description, method: str) -> str:
    if description.event(method) is not None:
        return f"{method} is an event. Listen to it instead of sending it."
    if description.command(method) is None:
        return did_you_mean(description.suggest(method, description.commands())).strip()
    return (
        f"{description.revision} has this command. This target may be of another type, or the"
        " browser of another version."
    )


def _explain_wrong_parameters(
    description: Description, method: str, params: Mapping[str, Any] | None
) -> str:
    if description.command(method) is None:
        return ""
    return " ".join(description.problems(method, params))


def _explain_timeout(description: Description, name: str) -> str:
    if description.command(name) or description.event(name):
        return ""
    suggestion = did_you_mean(
        description.suggest(name, [*description.events(), *description.commands()])
    )
    return f"{description.revision} has no such event or command.{suggestion}"
