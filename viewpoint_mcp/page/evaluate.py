"""Runs the user's JavaScript in the page's own world."""

from __future__ import annotations

from typing import Any

from cdp_protocol import CallTimeout, Session
from viewpoint_mcp.errors import PageError
from viewpoint_mcp.page import values

_CALL = "function () { return this(); }"
_APPLY = 'return typeof made === "function" ? made(this) : made;'
_COMMON: dict[str, Any] = {
    "awaitPromise": True,
    "userGesture": True,
    "serializationOptions": values.OPTIONS,
}


async def evaluate(
    session: Session, source: str, *, element: str | None = None, timeout: float
) -> str:
    """Evaluate a function or a bare expression and return its value as text.

    Args:
        source: An arrow function, a function, an expression, or statements whose last value counts.
        element: `Runtime.RemoteObjectId` in the page's world, passed to the function.
        timeout: Seconds that it may run, promises included.

    Raises:
        PageError: It is malformed, or it threw.
        CdpError: As `Session.send`. After a timeout the script is stopped.

    Source: CDP `Runtime.evaluate`, `Runtime.callFunctionOn`.
    """
    try:
        if element is not None:
            return values.text(await _evaluate_on(session, source, element, timeout))
        result = await _evaluate(session, source, timeout)
        if result["type"] == "function":
            result = await _call(session, _CALL, result["objectId"], timeout)
        return values.text(result)
    except CallTimeout:
        await session.send("Runtime.terminateExecution", timeout=1.0)
        raise


async def _evaluate(session: Session, source: str, timeout: float) -> dict[str, Any]:
    # In parentheses a function stays an expression; statements do not compile so.
    expression = f"({source}\n)"
    if not await _compiles(session, expression):
        expression = source
    params = {"expression": expression, **_COMMON}
    return _result(await session.send("Runtime.evaluate", params, timeout=timeout))


async def _evaluate_on(
    session: Session, source: str, element: str, timeout: float
) -> dict[str, Any]:
    # Compiled in the world of the element, which may be another frame's than the page's.
    if not await _compiles(session, f"({source}\n)"):
        raise PageError(
            "With a ref, the function must be a function or an expression.",
            "Write it as (element) => value.",
        )
    declaration = f"function () {{ const made = ({source}\n); {_APPLY} }}"
    return await _call(session, declaration, element, timeout)


async def _compiles(session: Session, expression: str) -> bool:
    params = {"expression": expression, "sourceURL": "", "persistScript": False}
    return "exceptionDetails" not in await session.send("Runtime.compileScript", params)


async def _call(session: Session, declaration: str, this: str, timeout: float) -> dict[str, Any]:
    params = {"functionDeclaration": declaration, "objectId": this, **_COMMON}
    return _result(await session.send("Runtime.callFunctionOn", params, timeout=timeout))


def _result(answer: dict[str, Any]) -> dict[str, Any]:
    details = answer.get("exceptionDetails")
    if details is None:
        result: dict[str, Any] = answer["result"]
        return result
    thrown = details.get("exception", {})
    reason = thrown.get("description") or values.text(thrown) if thrown else details["text"]
    raise PageError(f"The function threw: {reason}")
