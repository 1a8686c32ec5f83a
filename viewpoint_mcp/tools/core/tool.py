"""A tool as a record, and the decorators that declare one.

One declaration feeds the listing, the schema, the parsing of arguments and the documentation.
Which tools there are is the catalog's business, running them the runner's.
"""

from __future__ import annotations

import typing
from collections.abc import Awaitable, Callable, Mapping
from types import MappingProxyType
from typing import Any, Generic, Literal, TypeVar

import msgspec
from msgspec import Struct
from msgspec.structs import asdict

from viewpoint_mcp.config.secrets import NO_SECRETS, Secrets
from viewpoint_mcp.tools.core.args import Args, Context, parse
from viewpoint_mcp.tools.core.output import Output
from viewpoint_mcp.tools.core.result import ToolResult
from viewpoint_mcp.tools.core.schema import Schema, brief, input_schema, listed, output_schema

Kind = Literal["read", "record", "view", "navigate", "input", "script", "setup", "state"]
Scope = Literal["page", "browser", "plain"]
Modal = Literal["dialog", "chooser"]

A = TypeVar("A", bound=Args)
T = TypeVar("T")


class Annotations(Struct, frozen=True):
    """The four hints of MCP, always all printed, for their defaults suit no browser."""

    readOnlyHint: bool  # noqa: N815 - the wire's name
    destructiveHint: bool  # noqa: N815
    idempotentHint: bool  # noqa: N815
    openWorldHint: bool  # noqa: N815


# Destructive is what can lose something by itself. A click does what a person's click does: the
# page may ask again, undo, or delete; running script or clearing the browser's state asks nobody.
ANNOTATIONS: Mapping[Kind, Annotations] = MappingProxyType(
    {
        # reads the page: snapshot, find, console, screenshot, wait
        "read": Annotations(True, False, True, True),
        # reads what this server itself keeps: saved screenshots, contexts
        "record": Annotations(True, False, True, False),
        # changes how the page is seen: hover, scroll, resize, emulate media
        "view": Annotations(False, False, True, True),
        # loads another document
        "navigate": Annotations(False, False, False, True),
        # mouse, keyboard, forms, files and dialogs, as a person would
        "input": Annotations(False, False, False, True),
        # runs the caller's script in the page
        "script": Annotations(False, True, False, True),
        # adds to the browser or chooses within it: new context, switch, save storage, install
        "setup": Annotations(False, False, True, False),
        # takes away or replaces what the browser keeps: close, tabs, cookies, storage
        "state": Annotations(False, True, False, False),
    }
)


class UnknownTool(Exception):
    """No tool of this name is offered, be it unknown or switched off."""

    def __init__(self, name: str) -> None:
        super().__init__(f"Unknown tool: {name}")
        self.name = name


class Tool(Struct, Generic[A], frozen=True):
    """One tool: what a client is told of it, and the function that does it.

    Args:
        name: The name on the wire, `[a-zA-Z0-9_]{1,64}`.
        title: The name for people.
        description: The first paragraph of the function's docstring.
        kind: What the tool does to its surroundings; decides the annotations.
        capability: "core", or the value of `--caps` that switches the tool on.
        scope: Whether the function takes a page, the browser, or neither: then its caller.
        args_type: The struct of its arguments; of a page tool a subclass with `context` added.
        function: The function as written.
        waits: Whether a call takes its turn behind earlier calls on the same page.
        answers: The modal state that this tool answers and therefore is not refused by.
        limit: Seconds that a call may take; None for the limit of all.
        output: The struct of what it finds, if that is data.
        slim: The optional arguments that a short listing names; None for one that is not short.
    """

    name: str
    title: str
    description: str
    kind: Kind
    capability: str
    scope: Scope
    args_type: type[A]
    # The first argument is what `scope` says; the decorator saw its type.
    function: Callable[[Any, A], Awaitable[ToolResult]]
    waits: bool = True
    answers: Modal | None = None
    limit: float | None = None
    output: type[Output] | None = None
    slim: frozenset[str] | None = None

    async def __call__(self, target: Any, args: A) -> ToolResult:
        """Run the function as it is, on what it takes, which the runner chose."""
        return await self.function(target, args)

    def parse(self, arguments: object, secrets: Secrets = NO_SECRETS) -> A:
        """Read a call's arguments.

        Raises:
            CallError: They are not what the tool takes.
        """
        return parse(self.args_type, arguments, tool=self.name, secrets=secrets)

    def context_of(self, args: A) -> str | None:
        """The context that parsed arguments ask for; None means the active one."""
        context: str | None = getattr(args, "context", None) if self.scope == "page" else None
        return context

    @property
    def input_schema(self) -> Schema:
        """The JSON Schema of the arguments."""
        return input_schema(self.args_type)

    @property
    def listing(self) -> dict[str, Any]:
        """The tool as it stands in the answer to tools/list."""
        schema = self.input_schema
        listing = {
            "name": self.name,
            "title": self.title,
            "description": self.description,
            "inputSchema": listed(schema) if self.slim is None else brief(schema, self.slim),
            "annotations": asdict(ANNOTATIONS[self.kind]),
        }
        if self.output is not None and self.slim is None:
            listing["outputSchema"] = output_schema(self.output)
        return listing


def page_tool(
    name: str,
    *,
    title: str,
    kind: Kind,
    capability: str = "core",
    waits: bool = True,
    answers: Modal | None = None,
    output: type[Output] | None = None,
) -> Callable[[Callable[[T, A], Awaitable[ToolResult]]], Tool[A]]:
    """Declare `async def f(page: Page, args: SomeArgs) -> ToolResult` as a tool.

    The optional argument `context`, which runs a call in a named context, is added to its struct.

    Args:
        name: The name on the wire.
        title: The name for people.
        kind: What the tool does to its surroundings.
        capability: "core", or the capability that switches it on.
        waits: False for a tool that must not queue behind a call in progress on the page.
        answers: The modal state that the tool answers, if any.
        output: The struct of what it finds, if that is data.
    """

    def declare(function: Callable[[T, A], Awaitable[ToolResult]]) -> Tool[A]:
        return Tool(
            name=name,
            title=title,
            description=first_paragraph(function, name),
            kind=kind,
            capability=capability,
            scope="page",
            args_type=_with_context(args_type_of(function, name)),
            function=function,
            waits=waits,
            answers=answers,
            output=output,
        )

    return declare


def browser_tool(
    name: str,
    *,
    title: str,
    kind: Kind,
    capability: str = "core",
    limit: float | None = None,
    output: type[Output] | None = None,
) -> Callable[[Callable[[T, A], Awaitable[ToolResult]]], Tool[A]]:
    """Declare `async def f(browser: Workspace, args: SomeArgs) -> ToolResult` as a tool.

    Args:
        name: The name on the wire.
        title: The name for people.
        kind: What the tool does to its surroundings.
        capability: "core", or the capability that switches it on.
        limit: Seconds that a call may take; None for the limit of all.
        output: The struct of what it finds, if that is data.
    """

    def declare(function: Callable[[T, A], Awaitable[ToolResult]]) -> Tool[A]:
        return Tool(
            name=name,
            title=title,
            description=first_paragraph(function, name),
            kind=kind,
            capability=capability,
            scope="browser",
            args_type=args_type_of(function, name),
            function=function,
            limit=limit,
            output=output,
        )

    return declare


def plain_tool(
    name: str, *, title: str, kind: Kind, limit: float | None = None
) -> Callable[[Callable[[T, A], Awaitable[ToolResult]]], Tool[A]]:
    """Declare `async def f(caller: Caller, args: SomeArgs) -> ToolResult` as a tool that needs no
    browser: neither is one started for it, nor does its reply tell of pages.

    Args:
        name: The name on the wire.
        title: The name for people.
        kind: What the tool does to its surroundings.
        limit: Seconds that a call may take; None for the limit of all.
    """

    def declare(function: Callable[[T, A], Awaitable[ToolResult]]) -> Tool[A]:
        return Tool(
            name=name,
            title=title,
            description=first_paragraph(function, name),
            kind=kind,
            capability="core",
            scope="plain",
            args_type=args_type_of(function, name),
            function=function,
            limit=limit,
        )

    return declare


def first_paragraph(function: Callable[..., object], name: str) -> str:
    """The words that a model reads of a function.

    Raises:
        TypeError: It has none.
    """
    paragraph = (function.__doc__ or "").strip().split("\n\n")[0]
    if not paragraph:
        raise TypeError(f"{name} needs a docstring: its first paragraph is what the model reads.")
    return " ".join(paragraph.split())


def args_type_of(function: Callable[[T, A], Awaitable[Any]], name: str) -> type[A]:
    """The struct that the function's second parameter is annotated with.

    Only that annotation is evaluated: the first names a type that may exist for checkers alone.

    Raises:
        TypeError: The function has not two parameters, or the second is none of that kind.
    """
    annotations = function.__annotations__
    parameters = [key for key in annotations if key != "return"]
    if len(parameters) != 2:
        raise TypeError(f"{name} takes two annotated parameters: its target and its arguments.")
    declared = {"args": annotations[parameters[1]]}
    holder = type("_Annotated", (), {"__annotations__": declared})
    scope = getattr(function, "__globals__", {})
    found: object = typing.get_type_hints(holder, globalns=scope)["args"]
    if not (isinstance(found, type) and issubclass(found, Args)):
        raise TypeError(f"{name}: the second parameter must be a struct derived from Args.")
    return typing.cast("type[A]", found)


def _with_context(args_type: type[A]) -> type[A]:
    extended = msgspec.defstruct(
        args_type.__name__,
        [("context", Context, None)],
        bases=(args_type,),
        module=args_type.__module__,
        kw_only=True,
    )
    return typing.cast("type[A]", extended)
