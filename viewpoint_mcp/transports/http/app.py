"""The ASGI application: checks access to each request and calls its endpoint."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, NoReturn

import orjson

from viewpoint_mcp.rpc.dispatcher import Dispatcher
from viewpoint_mcp.rpc.messages import InvalidMessage, Message, parse_message
from viewpoint_mcp.server import initialize_handshake, sessionless_protocol
from viewpoint_mcp.transports.http.access_control import AccessControl
from viewpoint_mcp.transports.http.exchange import (
    JSON_TYPE,
    ClientDisconnected,
    Exchange,
    Receive,
    RequestRefused,
    Scope,
    Send,
)
from viewpoint_mcp.transports.http.post_response import (
    refuse_if_client_accepts_no_response_type,
    send_rpc_error,
)
from viewpoint_mcp.transports.http.sessionless_endpoint import (
    VERSION_HEADER,
    SessionlessEndpoint,
    is_sessionless_message,
)
from viewpoint_mcp.transports.http.sessions import Sessions
from viewpoint_mcp.transports.http.shell_endpoint import SHELL_PATH, RunCommand, ShellEndpoint
from viewpoint_mcp.transports.http.sse_endpoint import MESSAGES_PATH, SseEndpoint
from viewpoint_mcp.transports.http.streamable_endpoint import StreamableEndpoint

if TYPE_CHECKING:
    from viewpoint_mcp.transports.http.live_view.endpoint import LiveViewEndpoint, Views

log = logging.getLogger(__name__)

MCP_PATH: Final = "/mcp"
SSE_PATH: Final = "/sse"
HEALTH_PATH: Final = "/health"
_METHODS_BY_PATH: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {
        MCP_PATH: ("GET", "POST", "DELETE"),
        SSE_PATH: ("GET",),
        MESSAGES_PATH: ("POST",),
        HEALTH_PATH: ("GET", "HEAD"),
        SHELL_PATH: ("POST",),
    }
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """Size and time limits of the HTTP transport.

    Args:
        max_body_size: Maximum size of a request body in bytes.
        upload_timeout: Seconds within which a request body must arrive.
        keep_alive_interval: Seconds without output. After this time a pending response becomes an
            event stream, and an event stream sends a keep-alive comment.
        session_lifetime: Seconds after which an unused session expires; None for never.
    """

    max_body_size: int = 16 * 1024 * 1024
    upload_timeout: float = 60.0
    keep_alive_interval: float = 15.0
    session_lifetime: float | None = 1800.0


class HttpApp:
    """An ASGI application that serves MCP to many clients. It can be mounted in another one.

    Args:
        session_dispatcher: Opens a conversation for each session.
        request_dispatcher: Opens a conversation for each request without a session.
        access_control: Decides which requests are allowed.
        name, version: The server's name and version, for `/health`.
        run_command: Runs commands of the shell; None if the server offers no `/shell`.
        limits: Size and time limits; None for the defaults.
        live_views: The live views that the application serves to persons; None for none.
    """

    def __init__(
        self,
        session_dispatcher: Dispatcher,
        request_dispatcher: Dispatcher,
        access_control: AccessControl,
        *,
        name: str,
        version: str,
        run_command: RunCommand | None = None,
        limits: Limits | None = None,
        live_views: Views | None = None,
    ) -> None:
        self._limits = limits or Limits()
        self._access_control = access_control
        self._health = orjson.dumps({"status": "ok", "name": name, "version": version})
        self._streamable_sessions = Sessions(
            session_dispatcher, lifetime=self._limits.session_lifetime
        )
        self._sse_sessions = Sessions(session_dispatcher, lifetime=None)
        self._streamable_endpoint = StreamableEndpoint(self._streamable_sessions)
        self._sessionless_endpoint = SessionlessEndpoint(request_dispatcher)
        self._sse_endpoint = SseEndpoint(self._sse_sessions)
        self._live_view_endpoint = _make_live_view_endpoint(live_views)
        self._shell_endpoint = ShellEndpoint(run_command)
        self._is_closed = False

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request, as the ASGI interface defines.

        Raises:
            NotImplementedError: The scope is not an HTTP request.
        """
        if scope["type"] != "http":
            raise NotImplementedError(f"The application serves HTTP only, not {scope['type']}.")
        exchange = Exchange(
            scope, receive, send, keep_alive_interval=self._limits.keep_alive_interval
        )
        try:
            await self._serve_request(exchange)
        except RequestRefused as refused:
            await exchange.send_refusal(refused)
        except ClientDisconnected:
            pass
        except asyncio.CancelledError:  # The server stops, and its time limit for that is over.
            if not exchange.has_response_started:
                await exchange.send_refusal(_make_stopping_refusal())
            raise
        except Exception:  # A bug. Log it; the ASGI server sends the client a status 500.
            log.exception("%s %.100r failed", exchange.method, exchange.path)
            raise

    async def close(self, *, grace: float = 0.0) -> None:
        """Refuse new requests, answer those in progress, and end all streams. Idempotent.

        Args:
            grace: Seconds that calls in progress get to finish before they are cancelled.
        """
        self._is_closed = True
        if self._live_view_endpoint is not None:
            await self._live_view_endpoint.close()
        await asyncio.gather(
            *(
                each.close(grace=grace)
                for each in (
                    self._streamable_sessions,
                    self._sse_sessions,
                    self._sessionless_endpoint,
                    self._shell_endpoint,
                )
            )
        )

    async def _serve_request(self, exchange: Exchange) -> None:
        self._access_control.check_host_and_origin(exchange)
        if self._live_view_endpoint is not None and self._live_view_endpoint.serves(exchange.path):
            await self._live_view_endpoint.serve(exchange)
            return
        methods = _METHODS_BY_PATH.get(exchange.path)
        if methods is None:
            raise RequestRefused(404, f"Unknown path. Use {MCP_PATH} for MCP.")
        if exchange.method not in methods:
            _refuse_other_methods(*methods)
        if exchange.path == HEALTH_PATH:
            await exchange.send_response(200, self._health)
            return
        self._access_control.check_api_key(exchange)
        self._refuse_if_server_is_stopping()
        if exchange.path == SSE_PATH:
            await self._sse_endpoint.serve_stream(exchange)
        elif exchange.path == SHELL_PATH:
            await self._shell_endpoint.serve_command(exchange, await self._read_body(exchange))
        elif exchange.path == MESSAGES_PATH:
            self._sse_endpoint.find_session(exchange)
            await self._sse_endpoint.serve_message(exchange, await self._read_message(exchange))
        elif exchange.method == "POST":
            await self._serve_post(exchange)
        else:
            _check_version_header(exchange)
            is_get = exchange.method == "GET"
            await (
                self._streamable_endpoint.serve_stream
                if is_get
                else self._streamable_endpoint.end_session
            )(exchange)

    async def _serve_post(self, exchange: Exchange) -> None:
        refuse_if_client_accepts_no_response_type(exchange)
        message = await self._read_message(exchange)
        if isinstance(message, InvalidMessage):
            await send_rpc_error(exchange, message.error, message.id)
        elif is_sessionless_message(exchange, message):
            await self._sessionless_endpoint.serve_message(exchange, message)
        else:
            _check_version_header(exchange)
            await self._streamable_endpoint.serve_message(exchange, message)

    async def _read_message(self, exchange: Exchange) -> Message:
        return parse_message(await self._read_body(exchange))

    async def _read_body(self, exchange: Exchange) -> bytes:
        kind = exchange.get_header("content-type") or ""
        if kind.partition(";")[0].strip().lower() != JSON_TYPE:
            given = kind[:100] or "missing"
            raise RequestRefused(415, f"The content type must be {JSON_TYPE}. It is {given}.")
        body = await exchange.read_body(
            max_size=self._limits.max_body_size, timeout=self._limits.upload_timeout
        )
        self._refuse_if_server_is_stopping()
        return body

    def _refuse_if_server_is_stopping(self) -> None:
        if self._is_closed:
            raise _make_stopping_refusal()


def _make_live_view_endpoint(live_views: Views | None) -> LiveViewEndpoint | None:
    if live_views is None:
        return None
    from viewpoint_mcp.transports.http.live_view.endpoint import LiveViewEndpoint

    return LiveViewEndpoint(live_views)


def _make_stopping_refusal() -> RequestRefused:
    return RequestRefused(503, "The server is stopping.", {"connection": "close"})


def _check_version_header(exchange: Exchange) -> None:
    """Check that the version header, if present, is of a version with sessions."""
    version = exchange.get_header(VERSION_HEADER)
    if version in sessionless_protocol.SESSIONLESS_VERSIONS:
        _refuse_other_methods("POST")
    if version is not None and version not in initialize_handshake.SESSION_VERSIONS:
        raise RequestRefused(400, f"Unsupported protocol version {version[:100]!r}.")


def _refuse_other_methods(*allowed: str) -> NoReturn:
    methods = ", ".join(allowed)
    raise RequestRefused(405, f"Use one of these methods: {methods}.", {"allow": methods})
