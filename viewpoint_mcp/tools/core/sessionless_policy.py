"""Policies that a tool declares for calls without a session.

A client without a session sends a handle, the name of a context, with each call. The policy of a
tool names the argument that holds the handle, and what happens to the context of that name.
`sessionless.SessionlessExecutor` applies it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec import Struct


class ActsInContext(Struct, frozen=True):
    """The tool acts in the context that an argument names.

    Args:
        argument: Field of the argument struct that holds the handle.
        can_open: Returns whether a call without a handle opens a context; by default none does.
    """

    argument: str = "context"
    can_open: Callable[[Any], bool] = lambda _: False


class OpensContext(Struct, frozen=True):
    """The tool creates a context, whose handle begins with the name in an argument."""

    argument: str


class ClosesContext(Struct, frozen=True):
    """The tool closes the context that an argument names."""

    argument: str


class NeedsNoContext(Struct, frozen=True):
    """The tool works outside all contexts."""


class NeedsSession(Struct, frozen=True):
    """The tool makes sense within a session only.

    Args:
        message: Why the call fails.
        hint: What to do instead.
    """

    message: str
    hint: str


SessionlessPolicy = ActsInContext | OpensContext | ClosesContext | NeedsNoContext | NeedsSession
