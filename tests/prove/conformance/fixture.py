"""The server that the conformance suite calls, made with the embedding API.

    python -m tests.prove.conformance.fixture PORT

The suite prescribes the names and texts of prompts and resources.
"""

from __future__ import annotations

import asyncio
import functools
import json
import sys
from typing import Annotated, Literal

from msgspec import Meta

from tests.prove.conformance.tools import PNG, TOOLS
from viewpoint_mcp import (
    Args,
    Caller,
    Embedded,
    Image,
    Listening,
    Message,
    NoArgs,
    Resource,
    Server,
    elicit,
    prompt,
)

# ---- prompts


class TwoArgs(Args):
    arg1: Annotated[str, Meta(description="First test argument")]
    arg2: Annotated[str, Meta(description="Second test argument")]


class ResourceArgs(Args):
    resource_uri: Annotated[str, Meta(description="URI of the resource to embed")]


class SizeArgs(Args):
    size: Literal["large", "little", "small"] = "small"


@prompt("test_simple_prompt", title="Simple")
async def simple_prompt(caller: Caller, args: NoArgs) -> list[Message]:
    """A prompt without arguments."""
    return [Message("user", "This is a simple prompt for testing.")]


@prompt("test_prompt_with_arguments", title="With arguments")
async def prompt_with_arguments(caller: Caller, args: TwoArgs) -> list[Message]:
    """A prompt with two arguments."""
    text = f"Prompt with arguments: arg1='{args.arg1}', arg2='{args.arg2}'"
    return [Message("user", text)]


@prompt("test_prompt_with_choices", title="With choices")
async def prompt_with_choices(caller: Caller, args: SizeArgs) -> list[Message]:
    """A prompt with an argument that has few values."""
    return [Message("user", f"Make it {args.size}.")]


@prompt("test_prompt_with_embedded_resource", title="With a resource")
async def prompt_with_resource(caller: Caller, args: ResourceArgs) -> list[Message]:
    """A prompt with a resource in it."""
    content = Embedded(args.resource_uri, "text/plain", "Embedded resource content for testing.")
    return [
        Message("user", content),
        Message("user", "Please process the embedded resource above."),
    ]


@prompt("test_prompt_with_image", title="With a picture")
async def prompt_with_image(caller: Caller, args: NoArgs) -> list[Message]:
    """A prompt with a picture in it."""
    return [
        Message("user", Image(PNG, "image/png")),
        Message("user", "Please analyze the image above."),
    ]


@prompt("test_input_required_result_prompt", title="Input")
async def input_prompt(caller: Caller, args: NoArgs) -> list[Message]:
    """A prompt that asks the user."""
    schema = {
        "type": "object",
        "properties": {"context": {"type": "string"}},
        "required": ["context"],
    }
    question = elicit("What context should the prompt use?", schema)
    answer = (await caller.ask(user_context=question))["user_context"]
    return [Message("user", f"Use this: {answer.get('content', {}).get('context')}")]


PROMPTS = (
    simple_prompt,
    prompt_with_arguments,
    prompt_with_choices,
    prompt_with_resource,
    prompt_with_image,
    input_prompt,
)

# ---- resources


def templated(id: str) -> str:
    return json.dumps({"id": id, "templateTest": True, "data": f"Data for ID: {id}"})


RESOURCES = (
    Resource(
        "test://static-text",
        "Static text",
        "text/plain",
        lambda: "This is the content of the static text resource.",
    ),
    Resource("test://static-binary", "Static picture", "image/png", lambda: PNG),
    Resource("test://watched-resource", "Watched", "text/plain", lambda: "As it was."),
    Resource("test://template/{id}/data", "Template", "application/json", templated),
)


def server() -> Server:
    return Server(
        tools=("-*",),
        own_tools=TOOLS,
        prompts=PROMPTS,
        resources=RESOURCES,
        logging=True,
        name="viewpoint-conformance",
        instructions="Tools for the conformance suite.",
    )


async def main() -> None:
    listening = Listening(host="127.0.0.1", port=int(sys.argv[1]), asks_for_key=False)
    async with server() as serving:
        await serving.serve_http(listening, say=functools.partial(print, flush=True))


if __name__ == "__main__":
    asyncio.run(main())
