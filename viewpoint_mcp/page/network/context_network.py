"""The network that the pages and workers of a browser context see.

It has routes, answers servers that ask for a password, and may be slow or offline.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import TYPE_CHECKING, Final

from msgspec.structs import replace

from cdp_protocol import CallTimeout, CdpError, ProtocolError, Session
from viewpoint_mcp.config.emulation.network_conditions import NetworkConditions, Throttling

if TYPE_CHECKING:
    from viewpoint_mcp.config.emulation.http_credentials import HttpCredentials
    from viewpoint_mcp.page.network.request_log import RequestLog
    from viewpoint_mcp.page.routing.interception import RequestInterception
    from viewpoint_mcp.page.routing.route import Route

_RESPONSE_LIMIT: Final = 1.0  # seconds; a renderer with a dialog responds after it
_OFFLINE_ERROR: Final = "net::ERR_INTERNET_DISCONNECTED"
_PAGE_TYPES: Final = ("page", "iframe")
_TYPES_WITH_FETCH: Final = (*_PAGE_TYPES, "shared_worker", "service_worker")


class ContextNetwork:
    """The routes, credentials and connection of a context, applied to all its CDP sessions.

    Without routes and credentials, and with the real connection, no commands are sent.

    Args:
        is_offline: Whether the context starts without a network.
        http_credentials: User names and passwords for servers that ask for them.

    Attributes:
        conditions: The state of the connection, for `list_start_commands` and
            `list_condition_commands`.
        attach_to_workers: Attaches to the shared and service workers of the context, now and later;
            None if the server must not.
    """

    def __init__(
        self, *, is_offline: bool = False, http_credentials: Sequence[HttpCredentials] = ()
    ) -> None:
        self.conditions = self.conditions_at_start = NetworkConditions(is_offline=is_offline)
        self._http_credentials = http_credentials
        self._interception: RequestInterception | None = None
        self._sessions: dict[Session, RequestLog | None] = {}
        self.attach_to_workers: Callable[[], Awaitable[None]] | None = None

    @property
    def routes(self) -> tuple[Route, ...]:
        """The routes, the oldest first."""
        return () if self._interception is None else self._interception.routes

    @property
    def is_changed(self) -> bool:
        """Whether workers need commands."""
        is_intercepted = bool(self.routes or self._http_credentials)
        return is_intercepted or self.conditions != NetworkConditions()

    @property
    def was_changed_by_client(self) -> bool:
        """Whether the context has routes, or another connection than at its start."""
        return bool(self.routes) or self.conditions != self.conditions_at_start

    def list_start_commands(
        self, session: Session, request_log: RequestLog | None = None
    ) -> list[Awaitable[object]]:
        """Return the commands for a new CDP session. Later changes reach the session too.

        Args:
            session: CDP session of a page, frame or worker.
            request_log: Notes which of its requests a route handled.
        """
        self._sessions = {each: of for each, of in self._sessions.items() if each.closed is None}
        self._sessions[session] = request_log
        if not self.is_changed:
            return []
        commands: list[Awaitable[object]] = []
        commands += _enable_in_worker(session)
        if self.conditions != NetworkConditions():
            commands.append(_send_conditions(session, self.conditions))
        if self.routes:
            commands.append(self._switch_cache(session))
        if self.routes or self._http_credentials:
            commands += self._list_interception_commands(session, request_log)
        return commands

    async def set_offline(self, *, is_offline: bool) -> None:
        """Disconnect all pages and workers from the network, or connect them again."""
        self.conditions = replace(self.conditions, is_offline=is_offline)
        await self._attach_to_workers_if_changed()
        await _send_ignoring_closed_sessions(self.list_condition_commands())

    def list_condition_commands(self) -> list[Awaitable[object]]:
        """Return the commands that make the connection effective in running pages and workers."""
        commands: list[Awaitable[object]] = []
        for session in self._list_open_sessions():
            commands += _enable_in_worker(session)
            commands.append(_send_conditions(session, self.conditions))
        return commands

    async def add_route(
        self,
        pattern: str,
        *,
        is_regex: bool = False,
        abort_reason: str | None = None,
        status: int | None = None,
        body: bytes = b"",
        body_path: str | None = None,
        content_type: str | None = None,
        headers: Sequence[str] = (),
        removed_headers: Sequence[str] = (),
    ) -> Route:
        """Add a route, which has priority over the existing ones, and make it effective.

        Args:
            pattern: A glob pattern for the whole URL, or a regular expression for a part of it.
            is_regex: Whether the pattern is a regular expression.
            abort_reason: See `RouteAction`, as for the other arguments.
            headers: Headers of the form `Name: Value`.

        Raises:
            CallError: The pattern or a header is malformed.
        """
        from viewpoint_mcp.page.routing.route import Route, RouteAction, parse_headers

        action = RouteAction(
            abort_reason=abort_reason,
            status=status,
            body=body,
            body_path=body_path,
            content_type=content_type,
            headers=parse_headers(headers),
            removed_headers=tuple(removed_headers),
        )
        route = await Route.make(pattern, action, is_regex=is_regex)
        self._get_or_make_interception().add_route(route)
        await self._attach_to_workers_if_changed()
        await self._update_routes()
        return route

    async def remove_routes(self, pattern: str | None) -> int:
        """Remove the routes with exactly this pattern; None for all. Return their number."""
        if self._interception is None:
            return 0
        count = await self._interception.remove_routes(pattern)
        if count:
            await self._update_routes()
        return count

    def explain_error(self, error: str) -> str | None:
        """Return the text for a network error that the offline state caused; None for others.

        Args:
            error: The error, such as "net::ERR_INTERNET_DISCONNECTED".
        """
        is_cause = self.conditions.is_offline and error == _OFFLINE_ERROR
        return f"{error} (the context is offline)." if is_cause else None

    def pop_events(self) -> list[str]:
        """Return what the client should know about its routes, a sentence each."""
        return [] if self._interception is None else self._interception.pop_events()

    async def close(self) -> None:
        """End the handling of paused requests. Idempotent."""
        if self._interception is not None:
            await self._interception.close()

    async def _attach_to_workers_if_changed(self) -> None:
        if self.attach_to_workers is not None and self.is_changed:
            await self.attach_to_workers()

    async def _update_routes(self) -> None:
        commands: list[Awaitable[object]] = []
        for session in self._list_open_sessions():
            commands += _enable_in_worker(session)
            commands.append(self._switch_cache(session))
            commands += self._list_interception_commands(session, self._sessions[session])
        await _send_ignoring_closed_sessions(commands)

    def _get_or_make_interception(self) -> RequestInterception:
        if self._interception is None:
            from viewpoint_mcp.page.routing.interception import RequestInterception

            self._interception = RequestInterception(self._http_credentials)
        return self._interception

    async def _switch_cache(self, session: Session) -> None:
        """Switch the cache off while routes exist, as in Playwright, and else on.

        Cached responses would hide requests from the routes. Switching it off also empties the
        cache of the renderer.

        Source: CDP `Network.setCacheDisabled`.
        """
        await _ignore_missing_response(
            session.send(
                "Network.setCacheDisabled",
                {"cacheDisabled": bool(self.routes)},
                timeout=_RESPONSE_LIMIT,
            ),
            is_worker=_is_worker(session),
        )

    def _list_interception_commands(
        self, session: Session, request_log: RequestLog | None
    ) -> list[Awaitable[object]]:
        """Return the commands that apply the routes and the credentials to a session."""
        # The session of its page covers a dedicated worker, which has no domain Fetch.
        if session.target_info.get("type") not in _TYPES_WITH_FETCH:
            return []
        return self._get_or_make_interception().list_commands(session, request_log)

    def _list_open_sessions(self) -> list[Session]:
        return [each for each in self._sessions if each.closed is None]


async def _send_ignoring_closed_sessions(commands: list[Awaitable[object]]) -> None:
    for result in await asyncio.gather(*commands, return_exceptions=True):
        if isinstance(result, BaseException) and not isinstance(result, CdpError):
            raise result


def _is_worker(session: Session) -> bool:
    return session.target_info.get("type") not in _PAGE_TYPES


def _enable_in_worker(session: Session) -> list[Awaitable[object]]:
    """Return the command that the network commands need, unless the session is a page's.

    Source: CDP `Network.enable`.
    """
    if not _is_worker(session):
        return []
    sending = session.send("Network.enable", timeout=_RESPONSE_LIMIT)
    return [_ignore_missing_response(sending, is_worker=True)]


async def _send_conditions(session: Session, conditions: NetworkConditions) -> None:
    """Make a target perceive a connection.

    Source: CDP `Network.emulateNetworkConditions`.
    """
    throttling = conditions.throttling or Throttling()
    params = {
        "offline": conditions.is_offline,
        "latency": throttling.latency,
        "downloadThroughput": _to_bytes_per_second(throttling.download),
        "uploadThroughput": _to_bytes_per_second(throttling.upload),
    }
    await _ignore_missing_response(
        session.send("Network.emulateNetworkConditions", params, timeout=_RESPONSE_LIMIT),
        is_worker=_is_worker(session),
    )


def _to_bytes_per_second(kilobits_per_second: float | None) -> float:
    """Return a rate in the unit of CDP; -1 for no limit."""
    return -1 if kilobits_per_second is None else kilobits_per_second * 1000 / 8


async def _ignore_missing_response(sending: Awaitable[object], *, is_worker: bool) -> None:
    """Await a command that the browser process applies before the renderer responds.

    A renderer with an open dialog responds late. That of a worker refuses the command after the
    network service has applied it. For pages and frames, an error is a failure.
    """
    try:
        await sending
    except CallTimeout:
        return
    except ProtocolError:
        if not is_worker:
            raise
