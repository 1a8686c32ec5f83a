"""Policies that a tool declares for calls without a session.

A client without a session sends a handle, the name of a context, with each call. The policy of a
tool names the argument that holds the handle. It also decides whether the call uses, creates or
closes that context. `SessionlessCallExecutor` applies the policies.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec import Struct


class ActsInContext(Struct, frozen=True):
    """The tool acts in the context that an argument names.

    Args:
        argument: Field of the argument struct that holds the handle.
        can_open: Returns, for the arguments of a call without a handle, whether the call opens a
            context. By default no call does.
    """

    argument: str = "context"
    can_open: Callable[[Any], bool] = lambda _: False


class OpensContext(Struct, frozen=True):
    """The tool creates a context. Its handle begins with the name that an argument holds."""

    argument: str


class ClosesContext(Struct, frozen=True):
    """The tool closes the context that an argument names."""

    argument: str


class NeedsNoContext(Struct, frozen=True):
    """The tool works outside all contexts."""


class NeedsSession(Struct, frozen=True):
    """The tool works only within a session.

    Args:
        message: The reason for the error.
        hint: The next step for the client.
    """

    message: str
    hint: str


SessionlessCallPolicy = ActsInContext | OpensContext | ClosesContext | NeedsNoContext | NeedsSession
