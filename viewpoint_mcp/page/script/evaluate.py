"""Evaluates the agent's JavaScript in the page's main world."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, cast

from cdp_protocol import CallTimeout, CdpError, ProtocolError, Session
from viewpoint_mcp.accessibility.printing.invisible_characters import escape_invisible
from viewpoint_mcp.errors import CallError, PageTimeoutError, ScriptError
from viewpoint_mcp.page.console.console_text import MAX_MESSAGE
from viewpoint_mcp.page.script import result_rendering
from viewpoint_mcp.page.shorten import shorten

if TYPE_CHECKING:
    from cdp_protocol.types.runtime import EvaluateResult, RemoteObject

_CALL_SELF = "function () { return this(); }"
_RETURN_ARGUMENT = "(value) => value"
_CALL_OR_RETURN = 'return typeof made === "function" ? made(this) : made;'
_COMMON_PARAMS = {"awaitPromise": True, "userGesture": True}
_ANSWER_TIMEOUT = 0.5  # seconds in which a page without a running script answers
_MIN_TIMEOUT = 0.1  # seconds for each command, even after the limit
_MAX_TIMEOUT = 22.0
"""Maximum seconds of a script. The call then ends within 25 s; many clients wait only 30 s."""
_RemainingTime = Callable[[], float]  # seconds until the limit
# Items of an array; the browser is too slow to serialize longer arrays.
_MAX_SERIALIZED_ITEMS = 20_000
_ARRAY_DESCRIPTION = re.compile(r"Array\((\d+)\)")
_LINE_START = re.compile(r"\n(?=[^\s}\]])")  # without the last lines of printed JSON
_CLASS_SOURCE = re.compile(r"class\b(?!\s*=>)")


async def evaluate(
    session: Session, source: str, *, element_object_id: str | None = None, timeout: float
) -> str | None:
    """Evaluate a function or an expression, and return its value as text.

    Args:
        session: CDP session of the process in which to run it.
        source: An arrow function, a function, an expression, or statements. The result of
            statements is the last value.
        element_object_id: `Runtime.RemoteObjectId` in the main world, passed to the function.
            Statements are not allowed with an element.
        timeout: Seconds that the script may run, including promises; at most 22.

    Returns:
        The text; None if the document was gone before the value was read.

    Raises:
        PageError: The script is malformed, threw an exception, or did not end in time. An endless
            script is stopped.
        CdpError: As in `Session.send`.

    Source: CDP `Runtime.evaluate`, `Runtime.callFunctionOn`, `Runtime.releaseObject`.
    """
    timeout = min(timeout, _MAX_TIMEOUT)
    deadline = time.monotonic() + timeout

    def left() -> float:
        return max(deadline - time.monotonic(), _MIN_TIMEOUT)

    try:
        if element_object_id is not None:
            return await _render_result(
                session,
                await _evaluate_with_element(session, source, element_object_id, left),
                left,
            )
        result = await _evaluate_source(session, source, left)
        if result["type"] == "function" and not _CLASS_SOURCE.match(result["description"]):
            result = await _call_on_object(session, _CALL_SELF, result["objectId"], left)
        return await _render_result(session, result, left)
    except CallTimeout as error:
        raise await _stop_script_and_make_timeout_error(session, timeout) from error
    except ProtocolError:
        return None


async def _stop_script_and_make_timeout_error(session: Session, timeout: float) -> PageTimeoutError:
    """Return the error for a script that did not end in time. Stop a script that still runs.

    Raises:
        CallTimeout: The process of the page answers nothing.

    Source: CDP `Runtime.terminateExecution`.
    """
    try:
        await session.send("Runtime.evaluate", {"expression": "0"}, timeout=_ANSWER_TIMEOUT)
    except CallTimeout:
        try:
            await session.send("Runtime.terminateExecution", timeout=1.0)
        except CallTimeout as error:
            raise CallTimeout("Runtime.evaluate", timeout) from error
        return PageTimeoutError(
            f"The function ran for {timeout:g} s and was stopped.", "Check it for an endless loop."
        )
    return PageTimeoutError(
        f"The function's promise was not settled after {timeout:g} s.",
        "Check what it waits for. Or store the result in a property of window without awaiting "
        "it, and read it in a later call.",
    )


async def _render_result(
    session: Session, result: RemoteObject, remaining_time: _RemainingTime
) -> str:
    """Return a value as text, and release its object.

    The browser serializes an object. If the serialization lacks details, fails, or would be too
    slow, the script `plain.js` converts the object in the page first.

    Raises:
        PageError: The value could not be read in time.
        ProtocolError: The document is gone.
    """
    if result["type"] != "object" or "objectId" not in result or result.get("subtype") == "error":
        return result_rendering.render_value(result)
    object_id = result["objectId"]
    items = _ARRAY_DESCRIPTION.fullmatch(result.get("description", ""))
    try:
        serialized = None
        if items is None or int(items[1]) <= _MAX_SERIALIZED_ITEMS:
            serialized = await _serialize(session, _RETURN_ARGUMENT, object_id, remaining_time)
        if serialized is None or result_rendering.has_objects_serialized_without_content(
            serialized
        ):
            converted = await _serialize(
                session, _load_plain_data_converter_script(), object_id, remaining_time
            )
            serialized = converted or serialized
        if serialized is None:  # A getter threw, or the document is gone: then this call fails.
            await _call_on_object(session, "function () {}", object_id, remaining_time)
    except CallTimeout as error:
        raise PageTimeoutError(
            "The function ended, but its value could not be read in time.",
            "Return less data, or a string.",
        ) from error
    finally:
        with suppress(CdpError):  # its document may be gone, or busy
            await session.send(
                "Runtime.releaseObject", {"objectId": object_id}, timeout=_ANSWER_TIMEOUT
            )
    return result_rendering.render_value(serialized or result)


async def _serialize(
    session: Session, declaration: str, object_id: str, remaining_time: _RemainingTime
) -> RemoteObject | None:
    """Return an object with its deep serialization; None if this threw an exception.

    Args:
        declaration: A function that converts the object before it is serialized.
        object_id: `Runtime.RemoteObjectId` of the object.
    """
    params = {
        "functionDeclaration": declaration,
        "objectId": object_id,
        "arguments": [{"objectId": object_id}],
        "serializationOptions": result_rendering.SERIALIZATION_OPTIONS,
    }
    try:
        answer = await session.send("Runtime.callFunctionOn", params, timeout=remaining_time())
    except ProtocolError:  # a getter threw
        return None
    if "exceptionDetails" in answer:
        return None
    result: RemoteObject = answer["result"]
    return result


@cache
def _load_plain_data_converter_script() -> str:
    return files(__package__).joinpath("plain.js").read_text(encoding="utf-8")


async def _evaluate_source(
    session: Session, source: str, remaining_time: _RemainingTime
) -> RemoteObject:
    # Parentheses make a function an expression. Statements in parentheses do not compile.
    expression = f"({source}\n)"
    params: dict[str, object] = {"expression": expression, **_COMMON_PARAMS}
    if not await _can_compile(session, expression, remaining_time):
        params["expression"] = source
        # The REPL mode allows top-level `await`, and repeated declarations of a name.
        params["replMode"] = True
    answer = await session.send("Runtime.evaluate", params, timeout=remaining_time())
    return await _result_or_raise(session, remaining_time, cast("EvaluateResult", answer))


async def _evaluate_with_element(
    session: Session, source: str, element_object_id: str, remaining_time: _RemainingTime
) -> RemoteObject:
    # `callFunctionOn` compiles the source in the element's frame, which may be a child frame.
    source = source.rstrip().removesuffix(";")
    if not await _can_compile(session, f"({source}\n)", remaining_time):
        raise CallError(
            "With a ref, the code must be a function or an expression.",
            "Write it as (element) => value.",
        )
    declaration = f"function () {{ const made = ({source}\n); {_CALL_OR_RETURN} }}"
    return await _call_on_object(session, declaration, element_object_id, remaining_time)


async def _can_compile(session: Session, expression: str, remaining_time: _RemainingTime) -> bool:
    params = {"expression": expression, "sourceURL": "", "persistScript": False}
    answer = await session.send("Runtime.compileScript", params, timeout=remaining_time())
    return "exceptionDetails" not in answer


async def _call_on_object(
    session: Session, declaration: str, object_id: str, remaining_time: _RemainingTime
) -> RemoteObject:
    params = {"functionDeclaration": declaration, "objectId": object_id, **_COMMON_PARAMS}
    answer = await session.send("Runtime.callFunctionOn", params, timeout=remaining_time())
    return await _result_or_raise(session, remaining_time, cast("EvaluateResult", answer))


async def _result_or_raise(
    session: Session, remaining_time: _RemainingTime, answer: EvaluateResult
) -> RemoteObject:
    details = answer.get("exceptionDetails")
    if details is None:
        return answer["result"]
    exception = details.get("exception")
    if exception is None:
        reason = details["text"]
    elif exception.get("subtype") == "error":
        reason = exception["description"]
    else:
        reason = await _render_result(session, exception, remaining_time)
    # Indent the lines, so that none of the page looks like a heading or a sentence of the reply.
    reason = _LINE_START.sub("\n    ", escape_invisible(shorten(str(reason), MAX_MESSAGE)))
    raise ScriptError(f"The function threw: {reason}")
