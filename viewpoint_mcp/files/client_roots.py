"""The roots of a client: directories that it works in, which count as workspace during its call.

The server asks for them when a call names a file outside its own directories. It keeps no answer,
so a client may change its roots at any time.

Source: MCP, "Roots"; `roots/list`.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

from viewpoint_mcp.caller import caller, list_roots
from viewpoint_mcp.errors import CallError

log = logging.getLogger(__name__)

_ANSWER_LIMIT: Final = 10.0  # seconds for a client of an earlier version; it may never answer
_LOCAL_HOSTS: Final = ("", "localhost")

_roots_of_call: ContextVar[tuple[Path, ...]] = ContextVar("client_roots", default=())


def get_client_roots() -> tuple[Path, ...]:
    """Return the directories that the current call may use besides those of the server."""
    return _roots_of_call.get()


@contextmanager
def use_client_roots(roots: tuple[Path, ...]) -> Iterator[None]:
    """Make `get_client_roots` return these directories within the block."""
    token = _roots_of_call.set(roots)
    try:
        yield
    finally:
        _roots_of_call.reset(token)


async def fetch_client_roots() -> tuple[Path, ...]:
    """Ask the caller for its roots, and return those that are directories of this machine.

    Returns:
        Nothing if the client has no roots, refuses to list them, or does not answer within 10 s.

    Raises:
        InputRequired: The client must repeat the call with the answer (since 2026-07-28).
    """
    client = caller()
    if "roots" not in client.capabilities:
        return ()
    try:
        async with asyncio.timeout(_ANSWER_LIMIT):
            answers = await client.ask(client_roots=list_roots())
    except (CallError, TimeoutError) as error:
        log.warning("The roots of the client are unknown: %s", error or "it did not answer")
        return ()
    paths = map(_parse_root, answers["client_roots"]["roots"])
    return tuple(path for path in paths if path is not None)


def _parse_root(root: Mapping[str, Any] | object) -> Path | None:
    """Return the directory of a root; None if it is no absolute `file:` URI of this machine."""
    from urllib.request import url2pathname

    uri = root.get("uri") if isinstance(root, Mapping) else None
    if not isinstance(uri, str):
        return None
    try:
        parts = urlsplit(uri)
        path = Path(url2pathname(parts.path))
    except ValueError:
        return None
    is_local = parts.scheme == "file" and parts.netloc in _LOCAL_HOSTS
    return path if is_local and path.is_absolute() else None
