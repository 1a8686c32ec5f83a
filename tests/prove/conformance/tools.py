"""The tools that the conformance suite calls; names and words are the suite's."""

from __future__ import annotations

import asyncio
import json
from typing import Any

from viewpoint_mcp import (
    Args,
    Audio,
    Caller,
    CallError,
    Embedded,
    Image,
    NoArgs,
    ToolResult,
    elicit,
    list_roots,
    plain_tool,
    sample,
)
from viewpoint_mcp.caller import Question

PNG = bytes.fromhex(
    "89504e470d0a1a0a0000000d4948445200000001000000010802000000907753de"
    "0000000c4944415478da63f8cfc0000003010100c9fe92ef0000000049454e44ae426082"
)
# A header, and a second of nothing.
WAV = (
    b"RIFF\x25\x00\x00\x00WAVEfmt \x10\x00\x00\x00\x01\x00\x01\x00"
    b"\x40\x1f\x00\x00\x40\x1f\x00\x00\x01\x00\x08\x00data\x01\x00\x00\x00\x80"
)
NAME = {"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]}
OK = {"type": "object", "properties": {"ok": {"type": "boolean"}}, "required": ["ok"]}


class PromptArgs(Args):
    prompt: str


class MessageArgs(Args):
    message: str


# ---- content


@plain_tool("test_simple_text", title="Text", kind="record")
async def simple_text(caller: Caller, args: NoArgs) -> ToolResult:
    """Return text."""
    return ToolResult("This is a simple text response for testing.")


@plain_tool("test_image_content", title="Image", kind="record")
async def image_content(caller: Caller, args: NoArgs) -> ToolResult:
    """Return a picture."""
    return ToolResult(images=(Image(PNG, "image/png"),))


@plain_tool("test_audio_content", title="Audio", kind="record")
async def audio_content(caller: Caller, args: NoArgs) -> ToolResult:
    """Return a sound."""
    return ToolResult(attachments=(Audio(WAV, "audio/wav"),))


@plain_tool("test_embedded_resource", title="Embedded resource", kind="record")
async def embedded_resource(caller: Caller, args: NoArgs) -> ToolResult:
    """Return a resource."""
    content = "This is an embedded resource content."
    return ToolResult(attachments=(Embedded("test://embedded-resource", "text/plain", content),))


@plain_tool("test_multiple_content_types", title="Several kinds", kind="record")
async def multiple_content_types(caller: Caller, args: NoArgs) -> ToolResult:
    """Return text, a picture and a resource."""
    content = json.dumps({"test": "data", "value": 123})
    return ToolResult(
        "Multiple content types test:",
        images=(Image(PNG, "image/png"),),
        attachments=(Embedded("test://mixed-content-resource", "application/json", content),),
    )


@plain_tool("test_error_handling", title="Failure", kind="record")
async def error_handling(caller: Caller, args: NoArgs) -> ToolResult:
    """Fail."""
    raise CallError("This tool intentionally returns an error for testing")


# ---- notifications to the client


@plain_tool("test_tool_with_logging", title="Logging", kind="record")
async def with_logging(caller: Caller, args: NoArgs) -> ToolResult:
    """Log the steps."""
    caller.log("info", "Tool execution started")
    await asyncio.sleep(0.05)
    caller.log("info", "Tool processing data")
    await asyncio.sleep(0.05)
    caller.log("info", "Tool execution completed")
    return ToolResult("Tool with logging executed successfully")


@plain_tool("test_logging_tool", title="Logging", kind="record")
async def logging_tool(caller: Caller, args: NoArgs) -> ToolResult:
    """Log one message."""
    caller.log("info", "Working")
    return ToolResult("Done")


@plain_tool("test_tool_with_progress", title="Progress", kind="record")
async def with_progress(caller: Caller, args: NoArgs) -> ToolResult:
    """Report progress."""
    for done in (0, 50, 100):
        caller.progress(done, 100)
        await asyncio.sleep(0.05)
    return ToolResult("Done")


# ---- requests to the client


@plain_tool("test_sampling", title="Sampling", kind="record")
async def sampling(caller: Caller, args: PromptArgs) -> ToolResult:
    """Ask the client's model."""
    answers = await caller.ask(answer=sample(args.prompt, max_tokens=100))
    return ToolResult(f"LLM response: {answers['answer']['content'].get('text')}")


@plain_tool("test_elicitation", title="Elicitation", kind="record")
async def elicitation(caller: Caller, args: MessageArgs) -> ToolResult:
    """Ask the user."""
    schema = {
        "type": "object",
        "properties": {
            "username": {"type": "string", "description": "User's response"},
            "email": {"type": "string", "description": "User's email address"},
        },
        "required": ["username", "email"],
    }
    answers = await caller.ask(answer=elicit(args.message, schema))
    return ToolResult(f"User response: {answers['answer']}")


@plain_tool("test_elicitation_sep1034_defaults", title="Defaults", kind="record")
async def elicitation_defaults(caller: Caller, args: NoArgs) -> ToolResult:
    """Ask the user, with defaults."""
    properties = {
        "name": {"type": "string", "default": "John Doe"},
        "age": {"type": "integer", "default": 30},
        "score": {"type": "number", "default": 95.5},
        "status": {
            "type": "string",
            "enum": ["active", "inactive", "pending"],
            "default": "active",
        },
        "verified": {"type": "boolean", "default": True},
    }
    return await elicited(caller, properties)


@plain_tool("test_elicitation_sep1330_enums", title="Choices", kind="record")
async def elicitation_enums(caller: Caller, args: NoArgs) -> ToolResult:
    """Ask the user, with choices."""
    options = ["option1", "option2", "option3"]
    titled = [
        {"const": f"value{number}", "title": f"{ordinal} Option"}
        for number, ordinal in enumerate(("First", "Second", "Third"), 1)
    ]
    properties = {
        "untitledSingle": {"type": "string", "enum": options},
        "titledSingle": {"type": "string", "oneOf": titled},
        "legacyEnum": {
            "type": "string",
            "enum": ["opt1", "opt2", "opt3"],
            "enumNames": ["Option One", "Option Two", "Option Three"],
        },
        "untitledMulti": {"type": "array", "items": {"type": "string", "enum": options}},
        "titledMulti": {"type": "array", "items": {"anyOf": titled}},
    }
    return await elicited(caller, properties)


async def elicited(caller: Caller, properties: dict[str, Any]) -> ToolResult:
    schema = {"type": "object", "properties": properties, "required": []}
    answer = (await caller.ask(answer=elicit("Fill this in, please.", schema)))["answer"]
    return ToolResult(
        f"Elicitation completed: action={answer['action']}, content={answer.get('content')}"
    )


@plain_tool("test_missing_capability", title="A capability", kind="record")
async def missing_capability(caller: Caller, args: NoArgs) -> ToolResult:
    """Need a client that has a model."""
    caller.require("sampling")
    return ToolResult("The client has one.")


@plain_tool("test_streaming_elicitation", title="Elicitation", kind="record")
async def streaming_elicitation(caller: Caller, args: NoArgs) -> ToolResult:
    """Ask the user for a name."""
    return await greeted(caller)


# ---- revision 2026-07-28: repeated calls


@plain_tool("test_input_required_result_elicitation", title="Input", kind="record")
async def input_elicitation(caller: Caller, args: NoArgs) -> ToolResult:
    """Ask the user for a name."""
    return await greeted(caller)


async def greeted(caller: Caller) -> ToolResult:
    answers = await caller.ask(user_name=elicit("What is your name?", NAME))
    return ToolResult(f"Hello, {answers['user_name'].get('content', {}).get('name')}!")


@plain_tool("test_input_required_result_sampling", title="Input", kind="record")
async def input_sampling(caller: Caller, args: NoArgs) -> ToolResult:
    """Ask the client's model."""
    question = sample("What is the capital of France?", max_tokens=100)
    answers = await caller.ask(capital_question=question)
    return ToolResult(str(answers["capital_question"]["content"].get("text")))


@plain_tool("test_input_required_result_list_roots", title="Input", kind="record")
async def input_list_roots(caller: Caller, args: NoArgs) -> ToolResult:
    """Ask for directories."""
    answers = await caller.ask(client_roots=list_roots())
    return ToolResult(", ".join(root["uri"] for root in answers["client_roots"]["roots"]))


@plain_tool("test_input_required_result_request_state", title="State", kind="record")
async def input_request_state(caller: Caller, args: NoArgs) -> ToolResult:
    """Ask, and know it in the next round."""
    await caller.ask(confirm=elicit("Please confirm", OK))
    return ToolResult("state-ok")


@plain_tool("test_input_required_result_tampered_state", title="State", kind="record")
async def input_tampered_state(caller: Caller, args: NoArgs) -> ToolResult:
    """Ask, and refuse a modified state."""
    await caller.ask(confirm=elicit("Please confirm", OK))
    return ToolResult("Confirmed")


@plain_tool("test_input_required_result_multiple_inputs", title="Inputs", kind="record")
async def input_multiple(caller: Caller, args: NoArgs) -> ToolResult:
    """Ask three things at once."""
    await caller.ask(
        user_name=elicit("What is your name?", NAME),
        greeting=sample("Generate a greeting", max_tokens=50),
        client_roots=list_roots(),
    )
    return ToolResult("All is known.")


@plain_tool("test_input_required_result_multi_round", title="Rounds", kind="record")
async def input_multi_round(caller: Caller, args: NoArgs) -> ToolResult:
    """Ask one thing after the other."""
    color = {"type": "object", "properties": {"color": {"type": "string"}}, "required": ["color"]}
    first = await caller.ask(step1=elicit("Step 1: What is your name?", NAME))
    second = await caller.ask(step2=elicit("Step 2: What is your favorite color?", color))
    return ToolResult(f"{first['step1'].get('content')} {second['step2'].get('content')}")


@plain_tool("test_input_required_result_capabilities", title="Capabilities", kind="record")
async def input_capabilities(caller: Caller, args: NoArgs) -> ToolResult:
    """Ask only with the client's capabilities."""
    questions: dict[str, Question] = {
        "user_name": elicit("What is your name?", NAME),
        "greeting": sample("Generate a greeting", max_tokens=50),
    }
    can = {name: q for name, q in questions.items() if q.capability in caller.capabilities}
    return ToolResult(f"{await caller.ask(**can)}")


TOOLS = (
    *(simple_text, image_content, audio_content, embedded_resource, multiple_content_types),
    *(error_handling, with_logging, logging_tool, with_progress),
    *(sampling, elicitation, elicitation_defaults, elicitation_enums),
    *(missing_capability, streaming_elicitation),
    *(input_elicitation, input_sampling, input_list_roots, input_request_state),
    *(input_tampered_state, input_multiple, input_multi_round, input_capabilities),
)
