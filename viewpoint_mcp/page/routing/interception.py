"""The interception of requests by the routes and for the credentials of a browser context."""

from __future__ import annotations

import base64
import logging
from collections import deque
from collections.abc import Awaitable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Final

from cdp_protocol import CdpError, ProtocolError, Session
from viewpoint_mcp.background_tasks import BackgroundTasks
from viewpoint_mcp.config.emulation.http_credentials import HttpCredentials, find_http_credentials
from viewpoint_mcp.errors import CallError
from viewpoint_mcp.page.routing import paused_request
from viewpoint_mcp.page.routing.route import ABORT_REASONS, Route, RouteAction

if TYPE_CHECKING:
    from cdp_protocol.types.fetch import (
        AuthChallengeResponse,
        AuthRequiredEvent,
        RequestPattern,
        RequestPausedEvent,
    )
    from viewpoint_mcp.page.network.request_log import RequestLog

log = logging.getLogger(__name__)

_PREFLIGHT_STATUS: Final = 204
_MAX_EVENTS: Final = 10  # sentences for the next reply
_MAX_ANSWERED: Final = 1000  # requests whose challenge was answered


class RequestInterception:
    """The owner of CDP's domain Fetch in all CDP sessions of a browser context.

    A request pauses in each session that covers it: in that of its page or frame, also for a
    dedicated worker, and in that of its shared or service worker. The newest route that matches
    decides; each hop of a redirect is matched again. Requests that no route matches continue.
    Chromium asks for credentials only for requests that paused.

    Args:
        http_credentials: User names and passwords for servers that ask for them.
    """

    def __init__(self, http_credentials: Sequence[HttpCredentials] = ()) -> None:
        self._http_credentials = http_credentials
        self._answered: deque[tuple[Session, str]] = deque(maxlen=_MAX_ANSWERED)
        self._routes: list[Route] = []
        self._subscribed: set[Session] = set()
        self._tasks = BackgroundTasks()
        self._events: list[str] = []

    @property
    def routes(self) -> tuple[Route, ...]:
        """The routes, the oldest first."""
        return tuple(self._routes)

    def add_route(self, route: Route) -> None:
        """Add a route. `list_commands` then returns what makes it effective."""
        self._routes.append(route)

    async def remove_routes(self, pattern: str | None) -> int:
        """Remove the routes with exactly this pattern; None for all. Return their number."""
        removed = [each for each in self._routes if pattern in (None, each.pattern)]
        self._routes = [each for each in self._routes if each not in removed]
        for each in removed:
            await each.close()
        return len(removed)

    def list_commands(
        self, session: Session, request_log: RequestLog | None
    ) -> list[Awaitable[object]]:
        """Return the commands that make a session pause its requests.

        These are the requests that a route may match, or that may need credentials.

        Args:
            session: CDP session of a page, frame, shared worker or service worker.
            request_log: Notes which of its requests a route handled.

        Source: CDP `Fetch.enable`, `Fetch.disable`.
        """
        if not self._routes and not self._http_credentials:
            return [session.Fetch.disable()] if session in self._subscribed else []
        if session not in self._subscribed:
            self._subscribed = {each for each in self._subscribed if each.closed is None}
            self._subscribed.add(session)
            session.on(session.Fetch.requestPaused, partial(self._on_paused, session, request_log))
            session.on(session.Fetch.authRequired, partial(self._on_auth_required, session))
        urls = [route.chromium_pattern for route in self._routes]
        urls += [f"{each.origin}/*" if each.origin else "*" for each in self._http_credentials]
        patterns: list[RequestPattern] = [{"urlPattern": each} for each in dict.fromkeys(urls)]
        handles_challenges = bool(self._http_credentials) or None
        return [session.Fetch.enable(patterns=patterns, handleAuthRequests=handles_challenges)]

    def pop_events(self) -> list[str]:
        """Return what the client should know since the last call, a sentence each."""
        events, self._events = self._events, []
        return events

    async def close(self) -> None:
        """End the handling of paused requests and all processes. Idempotent."""
        await self._tasks.close()
        for route in self._routes:
            await route.close()

    def _on_paused(
        self, session: Session, request_log: RequestLog | None, event: RequestPausedEvent
    ) -> None:
        self._tasks.start(self._handle_request(session, request_log, event))

    def _on_auth_required(self, session: Session, event: AuthRequiredEvent) -> None:
        self._tasks.start(self._answer_challenge(session, event))

    async def _answer_challenge(self, session: Session, event: AuthRequiredEvent) -> None:
        """Answer a server that asks for credentials; if it refused them, show its refusal.

        Source: CDP `Fetch.continueWithAuth`.
        """
        request_id = event["requestId"]
        response: AuthChallengeResponse = {"response": "Default"}
        found = find_http_credentials(self._http_credentials, event["request"]["url"])
        if found is not None and event["authChallenge"].get("source") != "Proxy":
            if (session, request_id) in self._answered:
                response = {"response": "CancelAuth"}
                origin = event["authChallenge"]["origin"]
                self._add_event(
                    f"{origin} refused the user name or password of --http-credentials."
                )
            else:
                self._answered.append((session, request_id))
                response = {
                    "response": "ProvideCredentials",
                    "username": found.username,
                    "password": found.password,
                }
        try:
            await session.Fetch.continueWithAuth(
                requestId=request_id, authChallengeResponse=response
            )
        except CdpError as error:
            log.debug("A request with a challenge had ended: %s", error)

    async def _handle_request(
        self, session: Session, request_log: RequestLog | None, event: RequestPausedEvent
    ) -> None:
        request_id, url = event["requestId"], event["request"]["url"]
        route = await self._find_route(url)
        try:
            if route is None:
                await session.Fetch.continueRequest(requestId=request_id)
                return
            if request_log is not None and not route.action.changes_headers:
                request_log.note_routed(event.get("networkId"), url, event["request"]["method"])
            await self._apply(session, route, event)
        except ProtocolError as error:
            if route is not None:
                await self._continue_unchanged(session, route, request_id, error)
        except CdpError as error:
            log.debug("A page or worker ended with a paused request: %s", error)

    async def _find_route(self, url: str) -> Route | None:
        for route in reversed(self._routes):
            try:
                if await route.matches(url):
                    return route
            except CallError as error:
                if route in self._routes:  # else it was removed meanwhile
                    self._add_event(f"A route no longer acts: {error.message}")
        return None

    async def _apply(self, session: Session, route: Route, event: RequestPausedEvent) -> None:
        """Source: CDP `Fetch.failRequest`, `Fetch.fulfillRequest`, `Fetch.continueRequest`."""
        request_id, request, action = event["requestId"], event["request"], route.action
        if paused_request.is_preflight(request) and not _reaches_server(action):
            await session.Fetch.fulfillRequest(
                requestId=request_id,
                responseCode=_PREFLIGHT_STATUS,
                responseHeaders=paused_request.list_preflight_headers(request),
            )
            return
        route.request_count += 1
        if action.abort_reason is not None:
            reason = ABORT_REASONS[action.abort_reason]
            await session.Fetch.failRequest(requestId=request_id, errorReason=reason)
        elif action.status is not None:
            await session.Fetch.fulfillRequest(
                requestId=request_id,
                responseCode=action.status,
                responsePhrase=paused_request.find_status_text(action.status),
                responseHeaders=paused_request.list_response_headers(action, request),
                body=base64.b64encode(action.body).decode(),
            )
        elif action.changes_headers and not paused_request.is_preflight(request):
            headers = paused_request.list_request_headers(action, request)
            await session.Fetch.continueRequest(requestId=request_id, headers=headers)
        else:
            await session.Fetch.continueRequest(requestId=request_id)

    async def _continue_unchanged(
        self, session: Session, route: Route, request_id: str, error: ProtocolError
    ) -> None:
        """Continue a request that Chromium would otherwise hold for ever.

        Another session may have handled the request, or the page may have canceled it. Then
        Chromium refuses this command too, and the client need not know.
        """
        try:
            await session.Fetch.continueRequest(requestId=request_id)
        except CdpError:
            log.debug("A paused request had ended: %s", error)
        else:
            self._add_event(
                f"Chromium refused the route {route.pattern} for a request, which continued "
                f"unchanged: {error.message}"
            )

    def _add_event(self, sentence: str) -> None:
        if len(self._events) < _MAX_EVENTS and sentence not in self._events:
            self._events.append(sentence)


def _reaches_server(action: RouteAction) -> bool:
    return action.abort_reason is None and action.status is None
