"""The record of a tool, and the decorators that declare one.

One declaration feeds the listing, the schema, the parsing of arguments, the documentation and the
handling of calls without a session. The catalog lists the tools, the executor runs them.
"""

from __future__ import annotations

import typing
from collections.abc import Awaitable, Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Generic, Literal, Required, TypedDict, TypeVar, Unpack

import msgspec
from msgspec import Struct

from viewpoint_mcp.config.secrets import NO_SECRETS, Secrets
from viewpoint_mcp.tools.core.args import Args, ContextName, parse_arguments
from viewpoint_mcp.tools.core.result import ToolResult
from viewpoint_mcp.tools.core.schema import (
    Schema,
    make_brief_schema,
    make_input_schema,
    make_listed_schema,
    make_output_schema,
)
from viewpoint_mcp.tools.core.sessionless_call_policy import (
    ActsInContext,
    NeedsNoContext,
    SessionlessCallPolicy,
)
from viewpoint_mcp.tools.core.structured_output import Output

ToolKind = Literal["read", "record", "view", "navigate", "input", "script", "setup", "state"]
ToolScope = Literal["page", "browser", "plain", "batch", "client"]
ModalKind = Literal["dialog", "chooser"]

ArgsT = TypeVar("ArgsT", bound=Args)
TargetT = TypeVar("TargetT")


# A client completes omitted hints with the defaults of MCP: readOnlyHint false, destructiveHint
# true, idempotentHint false, openWorldHint true. `readOnlyHint: true` makes the second and the
# third meaningless. Each tool states one of the first two; openWorldHint is listed if it differs.
# idempotentHint is never listed: few clients read it, and in each kind a tool is not idempotent.
#
# A destructive tool can lose data without a confirmation. After a click, the page may still ask for
# confirmation or offer to undo. A script, or a tool that clears browser state, runs at once.
ANNOTATIONS: Mapping[ToolKind, Mapping[str, bool]] = MappingProxyType(
    {
        # reads the page: snapshot, find, console, screenshot, wait
        "read": {"readOnlyHint": True},
        # reads the state of this server: saved screenshots, contexts
        "record": {"readOnlyHint": True, "openWorldHint": False},
        # changes the view of the page: hover, scroll, resize, emulate media
        "view": {"destructiveHint": False},
        # loads another document
        "navigate": {"destructiveHint": False},
        # mouse, keyboard, forms, files and dialogs
        "input": {"destructiveHint": False},
        # runs a script of the client in the page, or several calls
        "script": {"destructiveHint": True},
        # adds to the browser or selects in it: new context, switch, install
        "setup": {"destructiveHint": False, "openWorldHint": False},
        # removes or replaces state of the browser: close, tabs, cookies, storage
        "state": {"destructiveHint": True, "openWorldHint": False},
    }
)


_RECORDS_A_PERSON = (
    "It records what a person does in the browser, and needs Playwright. browser_export_script "
    "(--caps testing) writes the calls of this session as a Playwright test."
)
_HINTS_FOR_UNKNOWN_TOOLS: Mapping[str, str] = MappingProxyType(
    {
        "browser_run_code_unsafe": "It needs Playwright. Use browser_batch for several actions, or "
        "browser_evaluate for JavaScript in the page.",
        "browser_annotate": "It opens a window of Playwright, in which a person draws. Use "
        "browser_take_screenshot with annotate to mark the elements with their refs.",
        "browser_start_recording": _RECORDS_A_PERSON,
        "browser_stop_recording": _RECORDS_A_PERSON,
        "browser_resume": "It continues a script that Playwright paused, and needs Playwright. "
        "Nothing is paused here: each call acts at once.",
    }
)


class UnknownTool(Exception):
    """The server offers no tool of this name: it is unknown or disabled.

    Attributes:
        hint: What replaces a tool of playwright-mcp; "" for other names.
    """

    def __init__(self, name: str) -> None:
        super().__init__(f"Unknown tool: {name}")
        self.name = name
        self.hint = _HINTS_FOR_UNKNOWN_TOOLS.get(name, "")


class Tool(Struct, Generic[ArgsT], frozen=True):
    """A declared tool: its description for clients, its rules for the executor, its function.

    Args:
        name: The name on the wire, `[a-zA-Z0-9_]{1,64}`.
        title: The name for people.
        description: The first paragraph of the function's docstring.
        kind: Effect of the tool on its surroundings; decides the annotations.
        scope: First argument of the function: the page, the workspace, the caller, the run of a
            batch, or the state of the client.
        args_type: The struct of the arguments; for a page tool a subclass with `context` added.
        function: The function as written.
        sessionless: The policy for calls without a session.
        capability: "core", or the value of `--caps` that enables the tool.
        waits_for_page: Whether a call waits for earlier calls on the same page.
        answers_modal: The modal state that does not block this tool, because the tool answers it.
        time_limit: Seconds that a call may take; None for the general limit.
        output: The struct of the result, if the tool returns data.
        slim: Optional arguments that the profile slim lists, by their names on the wire; None for a
            tool outside the profile.
        sinks: Arguments whose content a site receives: `url` opens it, the others are given to the
            page. The outflow guard checks them.
        is_brief: Whether tools/list has the short form of the profile slim.
    """

    name: str
    title: str
    description: str
    kind: ToolKind
    scope: ToolScope
    args_type: type[ArgsT]
    # `scope` determines the type of the first argument, which is Any here.
    function: Callable[[Any, ArgsT], Awaitable[ToolResult]]
    sessionless: SessionlessCallPolicy
    capability: str = "core"
    waits_for_page: bool = True
    answers_modal: ModalKind | None = None
    time_limit: float | None = None
    output: type[Output] | None = None
    slim: tuple[str, ...] | None = None
    sinks: tuple[str, ...] = ()
    is_brief: bool = False

    async def __call__(self, target: Any, args: ArgsT) -> ToolResult:
        """Call the function with a target of its scope."""
        return await self.function(target, args)

    def parse(self, arguments: object, secrets: Secrets = NO_SECRETS) -> ArgsT:
        """Parse the arguments of a call.

        Raises:
            CallError: The arguments do not fit the tool.
        """
        return parse_arguments(self.args_type, arguments, tool_name=self.name, secrets=secrets)

    def context_name(self, args: ArgsT) -> str | None:
        """Return the context that parsed arguments name; None means the active one."""
        context: str | None = getattr(args, "context", None) if self.scope == "page" else None
        return context

    @property
    def input_schema(self) -> Schema:
        """The JSON Schema of the arguments."""
        return make_input_schema(self.args_type)

    @property
    def list_entry(self) -> dict[str, Any]:
        """The entry of the tool in tools/list."""
        schema = self.input_schema
        listing = {
            "name": self.name,
            "title": self.title,
            "description": self.description,
            "inputSchema": make_brief_schema(schema, self.slim or ())
            if self.is_brief
            else make_listed_schema(schema),
            "annotations": dict(ANNOTATIONS[self.kind]),
        }
        if self.output is not None and not self.is_brief:
            listing["outputSchema"] = make_output_schema(self.output)
        return listing


class Declaration(TypedDict, total=False):
    """The arguments that every decorator takes; `Tool` describes them."""

    title: Required[str]
    kind: Required[ToolKind]
    capability: str
    time_limit: float | None
    output: type[Output] | None
    slim: tuple[str, ...] | None
    sinks: tuple[str, ...]


def page_tool(
    name: str,
    *,
    waits_for_page: bool = True,
    answers_modal: ModalKind | None = None,
    sessionless: SessionlessCallPolicy = ActsInContext(),  # noqa: B008 - it is frozen
    **declaration: Unpack[Declaration],
) -> Callable[[Callable[[TargetT, ArgsT], Awaitable[ToolResult]]], Tool[ArgsT]]:
    """Declare `async def f(page: Page, args: SomeArgs) -> ToolResult` as a tool.

    The decorator adds the optional argument `context`, which runs a call in a named context.

    Args:
        name: The name on the wire.
        waits_for_page: False for a tool that must not wait for a call in progress on the page.
        answers_modal: The modal state that the tool answers, if any.
        sessionless: The policy for calls without a session.
        declaration: See `Declaration`.
    """

    return _make_decorator(
        name,
        "page",
        sessionless=sessionless,
        waits_for_page=waits_for_page,
        answers_modal=answers_modal,
        **declaration,
    )


def browser_tool(
    name: str, *, sessionless: SessionlessCallPolicy, **declaration: Unpack[Declaration]
) -> Callable[[Callable[[TargetT, ArgsT], Awaitable[ToolResult]]], Tool[ArgsT]]:
    """Declare `async def f(browser: Workspace, args: SomeArgs) -> ToolResult` as a tool.

    Args:
        name: The name on the wire.
        sessionless: The policy for calls without a session. It has no default, because the
            argument that names a context differs between browser tools.
        declaration: See `Declaration`.
    """

    return _make_decorator(name, "browser", sessionless=sessionless, **declaration)


def plain_tool(
    name: str, **declaration: Unpack[Declaration]
) -> Callable[[Callable[[TargetT, ArgsT], Awaitable[ToolResult]]], Tool[ArgsT]]:
    """Declare `async def f(caller: Caller, args: SomeArgs) -> ToolResult` as a tool without a
    browser.

    A call starts no browser, and the reply reports no page.

    Args:
        name: The name on the wire.
        declaration: See `Declaration`.
    """

    return _make_decorator(name, "plain", sessionless=NeedsNoContext(), **declaration)


def client_tool(
    name: str, *, sessionless: SessionlessCallPolicy, **declaration: Unpack[Declaration]
) -> Callable[[Callable[[TargetT, ArgsT], Awaitable[ToolResult]]], Tool[ArgsT]]:
    """Declare `async def f(client: ClientState, args: SomeArgs) -> ToolResult` as a tool that reads
    or changes the state of the client. A call starts no browser.

    Args:
        name: The name on the wire.
        sessionless: The policy for calls without a session. `ActsInContext()` needs the argument
            `context`, which selects the state.
        declaration: See `Declaration`.
    """

    return _make_decorator(name, "client", sessionless=sessionless, **declaration)


def batch_tool(
    name: str, **declaration: Unpack[Declaration]
) -> Callable[[Callable[[TargetT, ArgsT], Awaitable[ToolResult]]], Tool[ArgsT]]:
    """Declare `async def f(batch: BatchRun, args: BatchArgs) -> ToolResult` as a tool that runs
    other tools.

    Args:
        name: The name on the wire.
        declaration: See `Declaration`.
    """

    policy = ActsInContext(can_open=lambda batch: batch.can_open_context)
    return _make_decorator(name, "batch", sessionless=policy, **declaration)


def _make_decorator(
    name: str, scope: ToolScope, **rest: Any
) -> Callable[[Callable[[TargetT, ArgsT], Awaitable[ToolResult]]], Tool[ArgsT]]:
    def declare(function: Callable[[TargetT, ArgsT], Awaitable[ToolResult]]) -> Tool[ArgsT]:
        args_type = find_args_type(function, name)
        tool = Tool(
            name=name,
            description=read_description(function, name),
            scope=scope,
            args_type=_add_context_argument(args_type) if scope == "page" else args_type,
            function=function,
            **rest,
        )
        handle = getattr(tool.sessionless, "argument", None)
        fields, wire_names = (
            tool.args_type.__struct_fields__,
            tool.args_type.__struct_encode_fields__,
        )
        named = tool.sinks if handle is None else (handle, *tool.sinks)
        _check_decorator_arguments_exist(tool, fields, named)
        _check_decorator_arguments_exist(tool, wire_names, tool.slim or ())
        return tool

    return declare


def _check_decorator_arguments_exist(
    tool: Tool[Any], arguments_of_tool: Sequence[str], names_in_decorator: Sequence[str]
) -> None:
    for each in names_in_decorator:
        if each not in arguments_of_tool:
            raise TypeError(
                f"{tool.name} has no argument '{each}'. Correct the decorator of the tool."
            )


def read_description(function: Callable[..., object], tool_name: str) -> str:
    """Return the first paragraph of a docstring, the description that a model reads.

    Raises:
        TypeError: The function has no docstring.
    """
    paragraph = (function.__doc__ or "").strip().split("\n\n")[0]
    if not paragraph:
        raise TypeError(
            f"{tool_name} needs a docstring. Its first paragraph is the description for the model."
        )
    return " ".join(paragraph.split())


def find_args_type(
    function: Callable[[TargetT, ArgsT], Awaitable[Any]], tool_name: str
) -> type[ArgsT]:
    """Return the struct that annotates the second parameter of a function.

    The other annotation is not evaluated: it may name a type that only type checkers import.

    Raises:
        TypeError: The function does not have two annotated parameters, or the second is not a
            subclass of `Args`.
    """
    annotations = function.__annotations__
    parameters = [key for key in annotations if key != "return"]
    if len(parameters) != 2:
        raise TypeError(
            f"{tool_name} must have two annotated parameters: the target and the arguments."
        )
    declared = {"args": annotations[parameters[1]]}
    holder = type("_Annotated", (), {"__annotations__": declared})
    scope = getattr(function, "__globals__", {})
    found: object = typing.get_type_hints(holder, globalns=scope)["args"]
    if not (isinstance(found, type) and issubclass(found, Args)):
        raise TypeError(f"{tool_name}: the second parameter must be a struct derived from Args.")
    return typing.cast("type[ArgsT]", found)


def _add_context_argument(args_type: type[ArgsT]) -> type[ArgsT]:
    extended = msgspec.defstruct(
        args_type.__name__,
        [("context", ContextName, None)],
        bases=(args_type,),
        module=args_type.__module__,
        kw_only=True,
    )
    return typing.cast("type[ArgsT]", extended)
