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
from viewpoint_mcp.errors import PageError
from viewpoint_mcp.page.console.previews import LONGEST
from viewpoint_mcp.page.script import values
from viewpoint_mcp.page.shorten import shorten

if TYPE_CHECKING:
    from cdp_protocol.types.runtime import EvaluateResult, RemoteObject

_CALL = "function () { return this(); }"
_SELF = "(value) => value"
_APPLY = 'return typeof made === "function" ? made(this) : made;'
_COMMON = {"awaitPromise": True, "userGesture": True}
_ANSWERS = 0.5  # seconds in which a page without a running script answers
_LEAST = 0.1  # seconds for each command, even after the limit
_MOST = 22.0
"""Maximum seconds of a script. The call then ends within 25 s; many clients wait only 30 s."""
_Left = Callable[[], float]  # seconds until the limit
_LONG = 20_000  # items of an array; the browser is too slow to serialize longer arrays
_ARRAY = re.compile(r"Array\((\d+)\)")
_CLASS = re.compile(r"class\b(?!\s*=>)")


async def evaluate(
    session: Session, source: str, *, element: str | None = None, timeout: float
) -> str | None:
    """Evaluate a function or an expression, and return its value as text.

    Args:
        session: CDP session of the process in which to run it.
        source: An arrow function, a function, an expression, or statements. The result of
            statements is the last value.
        element: `Runtime.RemoteObjectId` in the main world, passed to the function. Statements are
            not allowed with an element.
        timeout: Seconds that the script may run, including promises; at most 22.

    Returns:
        The text; None if the document was gone before the value was read.

    Raises:
        PageError: The script is malformed, threw an exception, or did not end in time. An endless
            script is stopped.
        CdpError: As in `Session.send`.

    Source: CDP `Runtime.evaluate`, `Runtime.callFunctionOn`, `Runtime.releaseObject`.
    """
    timeout = min(timeout, _MOST)
    deadline = time.monotonic() + timeout

    def left() -> float:
        return max(deadline - time.monotonic(), _LEAST)

    try:
        if element is not None:
            return await _text(session, await _evaluate_on(session, source, element, left), left)
        result = await _evaluate(session, source, left)
        if result["type"] == "function" and not _CLASS.match(result["description"]):
            result = await _call(session, _CALL, result["objectId"], left)
        return await _text(session, result, left)
    except CallTimeout as error:
        raise await _late(session, timeout) from error
    except ProtocolError:
        return None


async def _late(session: Session, timeout: float) -> PageError:
    """Return the error for a script that did not end in time. Stop a script that still runs.

    Source: CDP `Runtime.terminateExecution`.
    """
    try:
        await session.send("Runtime.evaluate", {"expression": "0"}, timeout=_ANSWERS)
    except CallTimeout:
        await session.send("Runtime.terminateExecution", timeout=1.0)
        return PageError(
            f"The function ran for {timeout:g} s and was stopped.", "Look for a loop without end."
        )
    return PageError(
        f"The function's promise was not settled after {timeout:g} s.",
        "Look at what it waits for, or store its result in a property of window without awaiting "
        "it, and read that in a later call.",
    )


async def _text(session: Session, result: RemoteObject, left: _Left) -> str:
    """Return a value as text, and release its object.

    The browser serializes an object. If the serialization lacks details, fails, or would be too
    slow, the script `plain.js` converts the object in the page first.

    Raises:
        PageError: The value could not be read in time.
        ProtocolError: The document is gone.
    """
    if result["type"] != "object" or "objectId" not in result or result.get("subtype") == "error":
        return values.text(result)
    this = result["objectId"]
    items = _ARRAY.fullmatch(result.get("description", ""))
    try:
        serialized = None
        if items is None or int(items[1]) <= _LONG:
            serialized = await _serialize(session, _SELF, this, left)
        if serialized is None or values.is_opaque(serialized):
            told = await _serialize(session, _source_of_plain(), this, left)
            serialized = told or serialized
        if serialized is None:  # A getter threw, or the document is gone: then this call fails.
            await _call(session, "function () {}", this, left)
    except CallTimeout as error:
        raise PageError(
            "The function ended, but its value could not be read in time.",
            "Return less of it, or a string.",
        ) from error
    finally:
        with suppress(CdpError):  # its document may be gone, or busy
            await session.send("Runtime.releaseObject", {"objectId": this}, timeout=_ANSWERS)
    return values.text(serialized or result)


async def _serialize(
    session: Session, declaration: str, this: str, left: _Left
) -> RemoteObject | None:
    """Return an object with its deep serialization; None if this threw an exception.

    Args:
        declaration: A function that converts the object before it is serialized.
        this: `Runtime.RemoteObjectId` of the object.
    """
    params = {
        "functionDeclaration": declaration,
        "objectId": this,
        "arguments": [{"objectId": this}],
        "serializationOptions": values.OPTIONS,
    }
    try:
        answer = await session.send("Runtime.callFunctionOn", params, timeout=left())
    except ProtocolError:  # a getter threw
        return None
    if "exceptionDetails" in answer:
        return None
    result: RemoteObject = answer["result"]
    return result


@cache
def _source_of_plain() -> str:
    return files(__package__).joinpath("plain.js").read_text(encoding="utf-8")


async def _evaluate(session: Session, source: str, left: _Left) -> RemoteObject:
    # Parentheses make a function an expression. Statements in parentheses do not compile.
    expression = f"({source}\n)"
    params: dict[str, object] = {"expression": expression, **_COMMON}
    if not await _compiles(session, expression, left):
        params["expression"] = source
        # The REPL mode allows top-level `await`, and repeated declarations of a name.
        params["replMode"] = True
    answer = await session.send("Runtime.evaluate", params, timeout=left())
    return await _result(session, left, cast("EvaluateResult", answer))


async def _evaluate_on(session: Session, source: str, element: str, left: _Left) -> RemoteObject:
    # `callFunctionOn` compiles the source in the element's frame, which may be a child frame.
    source = source.rstrip().removesuffix(";")
    if not await _compiles(session, f"({source}\n)", left):
        raise PageError(
            "With a ref, the function must be a function or an expression.",
            "Write it as (element) => value.",
        )
    declaration = f"function () {{ const made = ({source}\n); {_APPLY} }}"
    return await _call(session, declaration, element, left)


async def _compiles(session: Session, expression: str, left: _Left) -> bool:
    params = {"expression": expression, "sourceURL": "", "persistScript": False}
    answer = await session.send("Runtime.compileScript", params, timeout=left())
    return "exceptionDetails" not in answer


async def _call(session: Session, declaration: str, this: str, left: _Left) -> RemoteObject:
    params = {"functionDeclaration": declaration, "objectId": this, **_COMMON}
    answer = await session.send("Runtime.callFunctionOn", params, timeout=left())
    return await _result(session, left, cast("EvaluateResult", answer))


async def _result(session: Session, left: _Left, answer: EvaluateResult) -> RemoteObject:
    details = answer.get("exceptionDetails")
    if details is None:
        return answer["result"]
    thrown = details.get("exception")
    if thrown is None:
        reason = details["text"]
    elif thrown.get("subtype") == "error":
        reason = thrown["description"]
    else:
        reason = await _text(session, thrown, left)
    # Indent each "#", so that no line of the page looks like a heading of the reply.
    reason = shorten(str(reason), LONGEST).replace("\n#", "\n #")
    raise PageError(f"The function threw: {reason}")
