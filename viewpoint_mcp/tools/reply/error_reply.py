"""Replies to calls that failed, without the state of a page, and the texts of failures."""

from __future__ import annotations

import logging

from viewpoint_mcp.errors import ViewpointError
from viewpoint_mcp.tools.core.result import Failure, Reply, join_sections

log = logging.getLogger(__name__)


def make_error_reply(failure: Failure) -> Reply:
    """Return an error reply that contains only the reason of the failure."""
    return Reply(
        join_sections({"Error": failure.message}),
        is_error=True,
        structured_content=failure.to_json(),
        error_code=failure.code,
    )


def describe_exception(tool_name: str, error: Exception, time_limit: float | None) -> Failure:
    """Return why a call failed that raised. Log everything except a `ViewpointError`.

    Args:
        tool_name: The name of the tool.
        time_limit: The time limit of the call in seconds, if it had one.
    """
    if isinstance(error, ViewpointError):
        return Failure.from_error(error)
    if isinstance(error, TimeoutError) and time_limit is not None:
        log.error("%s took longer than %g s", tool_name, time_limit, exc_info=error)
        return Failure("timeout", f"{tool_name} was stopped after {time_limit:g} s.")
    log.error("%s failed", tool_name, exc_info=error)
    return Failure(
        "internal_error",
        f"{tool_name} failed because of a server error. The log of the server has details.",
    )
