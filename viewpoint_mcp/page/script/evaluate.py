"""Runs the user's JavaScript in the page's own world."""

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
_ANSWERS = 0.5  # seconds for a page that no script keeps busy
_LEAST = 0.1  # seconds for what is left to do at the limit
_MOST = 22.0
"""Seconds. With the reply, the call ends within 25 s: many clients wait 30 s for one."""
_Left = Callable[[], float]  # seconds until the limit
_LONG = 20_000  # items of an array, more than the browser serializes in good time
_ARRAY = re.compile(r"Array\((\d+)\)")
_CLASS = re.compile(r"class\b(?!\s*=>)")


async def evaluate(
    session: Session, source: str, *, element: str | None = None, timeout: float
) -> str | None:
    """Evaluate a function or a bare expression and return its value as text; None if its document
    went before that could be read.

    Args:
        source: An arrow function, a function, an expression, or statements whose last value counts.
        element: `Runtime.RemoteObjectId` in the page's world, passed to the function.
        timeout: Seconds that it may run, promises included; at most 22.

    Raises:
        PageError: It is malformed, it threw, or it did not end in time. A script that runs without
            end is stopped.
        CdpError: As `Session.send`.

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
    """Say why there is no answer; a script that runs without end is stopped.

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
    """The text of a value: of an object what the browser serializes, and where that says little, or
    too much, what the page itself makes of it.

    Raises:
        PageError: It is too large to be read.
        ProtocolError: Its document is gone.
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
        if serialized is None:  # by its getters, or because there is nobody to ask any more?
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
    """The object as a script sees it; None if that threw."""
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
    # In parentheses a function stays an expression; statements do not compile so.
    expression = f"({source}\n)"
    params: dict[str, object] = {"expression": expression, **_COMMON}
    if not await _compiles(session, expression, left):
        params["expression"] = source
        # The mode of consoles knows `await` outside of functions, and names declared anew.
        params["replMode"] = True
    answer = await session.send("Runtime.evaluate", params, timeout=left())
    return await _result(session, left, cast("EvaluateResult", answer))


async def _evaluate_on(session: Session, source: str, element: str, left: _Left) -> RemoteObject:
    # Compiled in the world of the element, which may be another frame's than the page's.
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
    # No line of the page's begins as a section of a reply does.
    reason = shorten(str(reason), LONGEST).replace("\n#", "\n #")
    raise PageError(f"The function threw: {reason}")
