"""Finds the WebSocket address for an endpoint (an address or a port) or a profile directory."""

from __future__ import annotations

import asyncio
import ipaddress
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import SplitResult

import orjson

from cdp_protocol.discovery.http_get import Answer, get, parsed
from cdp_protocol.errors import EndpointError

# Part of Chromium's answer if the Host header is neither an IP address nor localhost.
HOST_REFUSED = "Host header"

# Path of the browser's WebSocket without its id. A Chrome without /json/version accepts it after it
# asked its user.
BROWSER_PATH = "/devtools/browser"
DEVTOOLS_PATH = "/devtools/"  # prefix of the WebSocket paths of all targets

# HTTP statuses of a server without /json/version, which may offer a WebSocket nevertheless.
_NO_DISCOVERY = frozenset({400, 404, 405, 426, 501})


@dataclass(frozen=True, slots=True)
class Found:
    """The possible WebSocket addresses of a browser.

    Attributes:
        urls: The addresses, the most likely first.
        doubt: Why the addresses are only a guess, as a clause; "" if they are not.
    """

    urls: tuple[str, ...]
    doubt: str = ""


async def websocket_url(
    endpoint: str, *, headers: Mapping[str, str] | None = None, timeout: float = 10.0
) -> str:
    """Find the WebSocket address of a browser.

    Args:
        endpoint: A `ws(s)://` address (returned unchanged), an `http(s)://` address, `host:port`,
            or a port.
        headers: HTTP headers of the request for `/json/version`.
        timeout: Limit in seconds for the whole search.

    Raises:
        EndpointError: No server answers at the endpoint in time, or the server is not a browser.
    """
    try:
        async with asyncio.timeout(timeout):
            found = await find(endpoint, headers or {})
    except TimeoutError:
        raise EndpointError(endpoint, f"no answer within {timeout:g} s") from None
    if found.doubt:
        raise EndpointError(endpoint, found.doubt)
    return found.urls[0]


async def find(endpoint: str, headers: Mapping[str, str]) -> Found:
    """Find the possible WebSocket addresses of a browser.

    Unlike `websocket_url`, accept a server without `/json/version` and guess its address. Many
    gateways lack this resource, and so does a Chrome with debugging enabled at chrome://inspect.

    Args:
        endpoint: As in `websocket_url`.
        headers: HTTP headers of the requests.

    Raises:
        EndpointError: No server answers at the endpoint, or its answer excludes a browser.
    """
    try:
        parts = _parts(endpoint)
        if parts.scheme in ("ws", "wss"):
            return Found((endpoint,))
        return await _ask(parts, headers)
    except (OSError, ValueError, asyncio.IncompleteReadError) as error:
        raise EndpointError(endpoint, str(error).rstrip(".") or type(error).__name__) from error


async def resource(endpoint: str, path: str, headers: Mapping[str, str]) -> Answer:
    """Request an HTTP resource of a browser.

    Args:
        endpoint: As in `websocket_url`. For a WebSocket address, the request goes to its server.
        path: The path of the resource: "/json/protocol".
        headers: HTTP headers of the request.

    Raises:
        EndpointError: No server answers at the endpoint, or its answer is not HTTP.
    """
    try:
        parts = _parts(endpoint)
        if parts.scheme in ("ws", "wss"):
            scheme = "https" if parts.scheme == "wss" else "http"
            prefix = parts.path.partition(DEVTOOLS_PATH)[0].rstrip("/")
            parts = parts._replace(scheme=scheme, path=prefix)
        return await _get(parts, path, headers)
    except (OSError, ValueError, asyncio.IncompleteReadError) as error:
        raise EndpointError(endpoint, str(error).rstrip(".") or type(error).__name__) from error


def endpoint_from_profile(directory: str | Path) -> str:
    """Read the WebSocket address of the browser that uses a profile, from DevToolsActivePort.

    Args:
        directory: The browser's user data directory.

    Raises:
        EndpointError: The directory has no such file, so no browser with remote debugging uses it.
            Or the file cannot be read.
    """
    file = Path(directory) / "DevToolsActivePort"
    try:
        port, path = file.read_text(encoding="utf-8").split("\n")[:2]
        return f"ws://127.0.0.1:{int(port)}{path.strip()}"
    except FileNotFoundError:
        raise EndpointError(
            str(directory), "it has no DevToolsActivePort file, so no debuggable browser uses it"
        ) from None
    except (OSError, ValueError) as error:
        raise EndpointError(str(directory), f"{file.name} cannot be read ({error})") from error


def _parts(endpoint: str) -> SplitResult:
    if endpoint.isdigit():
        endpoint = f"127.0.0.1:{endpoint}"
    parts = parsed(endpoint if "://" in endpoint else f"http://{endpoint}")
    if parts.scheme not in ("http", "https", "ws", "wss") or not parts.hostname:
        raise ValueError("it is no http, https, ws or wss address")
    return parts


async def _get(endpoint: SplitResult, path: str, headers: Mapping[str, str]) -> Answer:
    answer = await get(endpoint._replace(path=f"{endpoint.path.rstrip('/')}{path}"), headers)
    if answer.status >= 400 and HOST_REFUSED in answer.body.decode(errors="replace"):
        answer = await get(await _by_address(answer.url), headers)
    return answer


async def _ask(endpoint: SplitResult, headers: Mapping[str, str]) -> Found:
    answer = await _get(endpoint, "/json/version", headers)
    if answer.status == 200:
        try:
            named = str(orjson.loads(answer.body)["webSocketDebuggerUrl"])
        except (orjson.JSONDecodeError, KeyError, TypeError):
            return _guess(endpoint, "/json/version names no webSocketDebuggerUrl")
        return Found(_as_seen_from_here(parsed(named), answer))
    doubt = f"/json/version answered with status {answer.status}"
    if answer.status not in _NO_DISCOVERY:
        raise ValueError(doubt)
    return _guess(endpoint, doubt)


async def _by_address(url: SplitResult) -> SplitResult:
    loop = asyncio.get_running_loop()
    found = await loop.getaddrinfo(url.hostname, url.port)
    address = str(found[0][4][0])
    host = f"[{address}]" if ":" in address else address
    user, at, _ = url.netloc.rpartition("@")
    return url._replace(netloc=f"{user}{at}{host}{f':{url.port}' if url.port else ''}")


def _guess(endpoint: SplitResult, doubt: str) -> Found:
    path = endpoint.path.rstrip("/")
    if not path and not endpoint.query:
        path = BROWSER_PATH
    return Found((endpoint._replace(scheme=_secured(endpoint), path=path or "/").geturl(),), doubt)


def _as_seen_from_here(named: SplitResult, answer: Answer) -> tuple[str, ...]:
    """Return the addresses to try for the address that a browser reported, the most likely first.

    A browser behind port forwarding, in a container or behind a TLS proxy reports an address of its
    own network. This client can reach it where it sent the request. A gateway, in contrast, may
    report another host on purpose.
    """
    asked = answer.url
    prefix = asked.path.removesuffix("/json/version")
    here = named._replace(
        scheme=_secured(asked), netloc=asked.netloc, query=named.query or asked.query
    )
    below = here._replace(path=prefix + here.path)
    is_inner = named.hostname == asked.hostname or _is_inner(named.hostname or "")
    ways = [below, here] if prefix and not here.path.startswith(prefix) else [here]
    likely = [*ways, named] if is_inner else [named, *ways]
    return tuple(dict.fromkeys(url.geturl() for url in likely))


def _is_inner(host: str) -> bool:
    """Return whether a host name or IP address is valid only within its own network."""
    try:
        return not ipaddress.ip_address(host).is_global
    except ValueError:
        return "." not in host


def _secured(url: SplitResult) -> str:
    return "wss" if url.scheme == "https" else "ws"
