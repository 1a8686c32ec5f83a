"""Batches: the steps of a `browser_batch` call, parsed before the first of them runs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from types import MappingProxyType
from typing import Annotated, Any, Final

from msgspec import Meta, Struct
from msgspec.structs import replace

from viewpoint_mcp.config.secrets import Secrets
from viewpoint_mcp.errors import CallError
from viewpoint_mcp.tools.core.args import Args, ContextName
from viewpoint_mcp.tools.core.sessionless_call_policy import ActsInContext, NeedsNoContext
from viewpoint_mcp.tools.core.tool import Tool, UnknownTool

_PREFIX: Final = "browser_"
_NOT_IN_A_BATCH: Final[Mapping[str, str]] = MappingProxyType(
    {
        "browser_batch": "A batch cannot contain another batch. List its calls directly.",
        "browser_ask_user": "It may wait for an hour. Call it alone.",
        "browser_install": "It may download for minutes. Call it alone.",
    }
)


class BatchCall(Args):
    tool: str
    """Name of the tool, with or without `browser_`. Any offered tool except `browser_batch`,
    `browser_install` and `browser_ask_user`."""
    arguments: dict[str, Any] | None = None
    """Arguments of the tool. For `ref`, pass a locator if the element is not known yet."""


class BatchArgs(Args):
    calls: Annotated[list[BatchCall], Meta(min_length=1, max_length=50)]
    """Tool calls to run, in this order; 1 to 50."""
    context: ContextName = None
    """Name of the browser context for the calls that name none. The active context if omitted."""


class Step(Struct, frozen=True):
    """One call of a batch.

    Args:
        args: The parsed arguments.
        arguments: The arguments as the client sent them.
    """

    tool: Tool[Any]
    args: Any
    arguments: Mapping[str, Any] | None = None

    def args_in(self, context: str | None) -> Any:
        """Return the arguments. A call that names no context gets this one, if it acts in one."""
        policy = self.tool.sessionless
        if context is None or not isinstance(policy, ActsInContext):
            return self.args
        if getattr(self.args, policy.argument) is not None:
            return self.args
        return replace(self.args, **{policy.argument: context})


class Batch(Struct, frozen=True):
    """A parsed batch.

    Args:
        context: The context for the steps that name none; None for the active one.
    """

    steps: Sequence[Step]
    context: str | None = None

    @property
    def can_open_context(self) -> bool:
        """Whether the batch opens a context if it has neither a session nor a handle."""
        policy = self.steps[0].tool.sessionless
        return isinstance(policy, ActsInContext) and policy.can_open(self.steps[0].args)

    def check_sessionless(self) -> None:
        """Make sure that all steps work in the one context of a call without a session.

        Raises:
            CallError: A step opens or closes contexts.
        """
        for number, step in enumerate(self.steps, 1):
            if not isinstance(step.tool.sessionless, ActsInContext | NeedsNoContext):
                raise CallError(
                    f"{describe_step(number, step.tool.name)}: Without a session, this tool cannot "
                    "be in a batch.",
                    "Call it alone. No step was run.",
                )


def parse_batch(args: BatchArgs, tools: Mapping[str, Tool[Any]], secrets: Secrets) -> Batch:
    """Parse the calls of a batch.

    Args:
        tools: The offered tools by name.

    Raises:
        CallError: Some calls are invalid; the message names each of them.
    """
    steps, errors = [], []
    for number, call in enumerate(args.calls, 1):
        try:
            tool = _find_tool(call.tool, tools)
            steps.append(Step(tool, tool.parse(call.arguments, secrets), call.arguments))
        except CallError as error:
            errors.append(f"{describe_step(number, _full_name(call.tool, tools))}: {error}")
    if errors:
        raise CallError("\n".join([*errors, "No step was run."]))
    return Batch(steps, args.context)


def describe_step(number: int, tool_name: str) -> str:
    """Return the name of a step for messages: `Step 4 (browser_click)`."""
    return f"Step {number} ({tool_name})"


def _find_tool(name: str, tools: Mapping[str, Tool[Any]]) -> Tool[Any]:
    full_name = _full_name(name, tools)
    if full_name in _NOT_IN_A_BATCH:
        raise CallError(_NOT_IN_A_BATCH[full_name])
    if full_name not in tools:
        replacement = UnknownTool(_PREFIX + name.removeprefix(_PREFIX)).hint
        if replacement:
            raise CallError("No tool has this name.", replacement)
        names = {each.removeprefix(_PREFIX): each for each in tools}
        similar = [names[each] for each in get_close_matches(name.removeprefix(_PREFIX), names)]
        hint = f"Did you mean {' or '.join(similar)}?" if similar else "tools/list has all tools."
        raise CallError("No tool has this name.", hint)
    return tools[full_name]


def _full_name(name: str, tools: Mapping[str, Tool[Any]]) -> str:
    return name if name in tools or f"{_PREFIX}{name}" not in tools else f"{_PREFIX}{name}"
