"""Gateways that behave as services with browsers document it: addresses, tokens, discovery.

Each forwards to one browser of the test. Where a service starts a browser for each connection, the
tests need no second one.
"""

from __future__ import annotations

import base64
import json
from dataclasses import dataclass
from http import HTTPStatus
from urllib.parse import parse_qs, urlsplit

from websockets.asyncio.server import ServerConnection
from websockets.http11 import Request, Response

from tests.e2e.attach.gateway import Relay

TOKEN = "t0ken-t0ken"
SESSION = "1909cef7-23e8-4394-bc31-27404bf4348f"
ACCOUNT = "acc0unt"


@dataclass(frozen=True, slots=True)
class Asked:
    """A request to a gateway.

    Attributes:
        query: The first value of each parameter.
        authorization: The header; "" without one.
    """

    path: str
    query: dict[str, str]
    authorization: str
    is_websocket: bool


class HostedBrowser(Relay):
    """A gateway that admits WebSockets as its `check` decides."""

    async def admit(self, connection: ServerConnection, request: Request) -> Response | None:
        self.requested_paths.append(request.path)
        url = urlsplit(request.path)
        asked = Asked(
            url.path,
            {name: values[0] for name, values in parse_qs(url.query).items()},
            request.headers.get("Authorization", ""),
            "Upgrade" in request.headers,
        )
        refusal = self.check(asked)
        if refusal is not None:
            return connection.respond(refusal, "")
        return None if asked.is_websocket else connection.respond(HTTPStatus.OK, self.describe())

    def check(self, asked: Asked) -> HTTPStatus | None:
        """Return the status that refuses a request; None to accept it."""
        raise NotImplementedError

    def describe(self) -> str:
        """Return the response to /json/version."""
        raise NotImplementedError


class Browserless(HostedBrowser):
    """Browserless: a token as parameter, or in the header; any browser at / and /chromium.

    Its /json/version reports the address of its own network, without the token. Source:
    docs.browserless.io, and src/browsers/index.ts, src/utils.ts of the open-source server.
    """

    def check(self, asked: Asked) -> HTTPStatus | None:
        if TOKEN not in (asked.query.get("token"), token_of(asked.authorization)):
            return HTTPStatus.UNAUTHORIZED
        paths = ("/", "/chromium") if asked.is_websocket else ("/json/version",)
        return None if asked.path in paths else HTTPStatus.NOT_FOUND

    def describe(self) -> str:
        return json.dumps({"Browser": "Chrome", "webSocketDebuggerUrl": "ws://localhost:3000/"})


class SeleniumGrid(HostedBrowser):
    """Selenium Grid: the address of one WebDriver session, which it reports as se:cdp; no
    discovery.
    """

    def check(self, asked: Asked) -> HTTPStatus | None:
        is_session = asked.is_websocket and asked.path == f"/session/{SESSION}/se/cdp"
        return None if is_session else HTTPStatus.NOT_FOUND


class Steel(HostedBrowser):
    """Steel: an API key as parameter, optionally with a session; no discovery.

    Source: docs.steel.dev/overview/guides/connect-with-playwright-node.
    """

    def check(self, asked: Asked) -> HTTPStatus | None:
        if asked.query.get("apiKey") != TOKEN:
            return HTTPStatus.UNAUTHORIZED
        is_own = asked.query.get("sessionId") in (None, SESSION)
        return None if asked.is_websocket and is_own else HTTPStatus.NOT_FOUND


class Browserbase(HostedBrowser):
    """Browserbase: the connectUrl of a session, with the key and the session as parameters.

    Source: docs.browserbase.com, "Using a browser session".
    """

    def check(self, asked: Asked) -> HTTPStatus | None:
        if asked.query.get("apiKey") != TOKEN:
            return HTTPStatus.UNAUTHORIZED
        is_own = asked.query.get("sessionId") == SESSION
        return None if asked.is_websocket and is_own else HTTPStatus.NOT_FOUND


class Cloudflare(HostedBrowser):
    """Cloudflare Browser Rendering: a token in the header; a new session, or one by its id.

    Source: developers.cloudflare.com/browser-rendering/cdp.
    """

    def check(self, asked: Asked) -> HTTPStatus | None:
        if asked.authorization != f"Bearer {TOKEN}":
            return HTTPStatus.UNAUTHORIZED
        new = f"/client/v4/accounts/{ACCOUNT}/browser-rendering/devtools/browser"
        is_known = asked.path in (new, f"{new}/{SESSION}")
        return None if asked.is_websocket and is_known else HTTPStatus.NOT_FOUND


def token_of(authorization: str) -> str | None:
    """Return the token in a header of the form Bearer TOKEN or Basic base64(TOKEN:)."""
    scheme, _, value = authorization.partition(" ")
    if scheme == "Basic":
        return base64.b64decode(value).decode().replace(":", "")
    return value if scheme == "Bearer" else None
