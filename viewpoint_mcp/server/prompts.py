"""The methods prompts/list, prompts/get and completion/complete.

Prompts are texts that users choose in their client. An embedding program declares them. The
server itself has none.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Sequence
from typing import Any, Literal, TypeVar

from msgspec import Struct

from viewpoint_mcp.caller import caller
from viewpoint_mcp.errors import ViewpointError
from viewpoint_mcp.rpc.errors import INVALID_PARAMS, RpcError
from viewpoint_mcp.rpc.messages import JsonObject
from viewpoint_mcp.server import fields_by_protocol_version
from viewpoint_mcp.server.content_blocks import attachment_block, image_block, text_block
from viewpoint_mcp.server.optional_features import CapabilitiesAndMethods
from viewpoint_mcp.tools.core.args import Args, parse_arguments
from viewpoint_mcp.tools.core.result import Audio, Embedded, Image
from viewpoint_mcp.tools.core.schema import make_input_schema
from viewpoint_mcp.tools.core.tool import find_args_type, read_description

A = TypeVar("A", bound=Args)
T = TypeVar("T")

_MAX_QUOTED_NAME = 100
_MAX_COMPLETIONS = 100


class Message(Struct, frozen=True):
    """One message of a prompt."""

    role: Literal["user", "assistant"]
    content: str | Image | Audio | Embedded


class Prompt(Struct, frozen=True):
    """A prompt that an embedding program declares with the decorator `prompt`.

    Args:
        name: The name on the wire.
        title: The name for people.
        description: A description for people and models.
        args_type: The struct of the arguments.
        function: Takes the caller and the arguments, and returns the messages.
    """

    name: str
    title: str
    description: str
    args_type: type[Args]
    function: Callable[[Any, Any], Awaitable[Sequence[Message]]]

    def make_list_entry(self, version: str) -> JsonObject:
        """Return the entry in the result of prompts/list.

        Args:
            version: The protocol version of the client.
        """
        schema = make_input_schema(self.args_type)
        arguments = [
            {
                "name": name,
                **({"description": text} if (text := each.get("description")) else {}),
                "required": name in schema.get("required", ()),
            }
            for name, each in schema.get("properties", {}).items()
        ]
        entry: JsonObject = {
            "name": self.name,
            "title": self.title,
            "description": self.description,
        }
        if arguments:
            entry["arguments"] = arguments
        return fields_by_protocol_version.remove_newer_fields("prompt", entry, version)

    def find_completions(self, argument: str, prefix: str) -> list[str]:
        """Return the values of an argument that start with a text.

        Empty if the type of the argument is not an enumeration.
        """
        schema = make_input_schema(self.args_type).get("properties", {}).get(argument, {})
        return [value for value in map(str, schema.get("enum", ())) if value.startswith(prefix)]


def prompt(
    name: str, *, title: str
) -> Callable[[Callable[[T, A], Awaitable[Sequence[Message]]]], Prompt]:
    """Declare a function as a prompt.

    The function is `async def f(caller: Caller, args: SomeArgs) -> Sequence[Message]`. The first
    paragraph of its docstring is the description of the prompt.

    Args:
        name: The name on the wire.
        title: The name for people.

    Raises:
        TypeError: The function has no docstring, or its parameters do not have these types.
    """

    def declare(function: Callable[[T, A], Awaitable[Sequence[Message]]]) -> Prompt:
        args_type = find_args_type(function, name)
        return Prompt(name, title, read_description(function, name), args_type, function)

    return declare


class Prompts:
    """The prompts of a server, as a feature.

    Args:
        prompts: The prompts in the order of the list, with unique names.
    """

    def __init__(self, prompts: Iterable[Prompt]) -> None:
        self._prompts = {each.name: each for each in prompts}

    @property
    def support_in_session_protocol(self) -> CapabilitiesAndMethods:
        return self.support_in_sessionless_protocol

    @property
    def support_in_sessionless_protocol(self) -> CapabilitiesAndMethods:
        return CapabilitiesAndMethods(
            {"prompts": {}, "completions": {}},
            {
                "prompts/list": self._list_prompts,
                "prompts/get": self._get_prompt,
                "completion/complete": self._complete_argument,
            },
        )

    async def _list_prompts(self, params: JsonObject, version: str) -> JsonObject:
        if params.get("cursor") is not None:
            raise RpcError(INVALID_PARAMS, "All prompts are on one page. Omit the cursor.")
        return {"prompts": [each.make_list_entry(version) for each in self._prompts.values()]}

    async def _get_prompt(self, params: JsonObject, version: str) -> JsonObject:
        found = self._find_prompt(params.get("name"))
        try:
            args = parse_arguments(found.args_type, params.get("arguments"), tool_name=found.name)
            messages = await found.function(caller(), args)
        except ViewpointError as error:
            raise RpcError(INVALID_PARAMS, str(error)) from None
        return {
            "description": found.description,
            "messages": [
                {"role": each.role, "content": _make_content_block(each.content, version)}
                for each in messages
            ],
        }

    async def _complete_argument(self, params: JsonObject, _version: str) -> JsonObject:
        ref, argument = params.get("ref"), params.get("argument")
        if not isinstance(ref, dict) or not isinstance(argument, dict):
            raise RpcError(INVALID_PARAMS, "completion/complete needs ref and argument, objects.")
        values: list[str] = []
        if ref.get("type") == "ref/prompt":
            found = self._find_prompt(ref.get("name"))
            values = found.find_completions(
                str(argument.get("name")), str(argument.get("value", ""))
            )
        first_values = values[:_MAX_COMPLETIONS]
        completion = {
            "values": first_values,
            "total": len(values),
            "hasMore": len(values) > len(first_values),
        }
        return {"completion": completion}

    def _find_prompt(self, name: object) -> Prompt:
        if isinstance(name, str) and name in self._prompts:
            return self._prompts[name]
        raise RpcError(INVALID_PARAMS, f"Unknown prompt: {str(name)[:_MAX_QUOTED_NAME]}")


def _make_content_block(content: str | Image | Audio | Embedded, version: str) -> JsonObject:
    if isinstance(content, str):
        return text_block(content)
    return (
        image_block(content) if isinstance(content, Image) else attachment_block(content, version)
    )
