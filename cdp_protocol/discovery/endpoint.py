"""From what users give (an address, a port, a profile directory) to a WebSocket address."""

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

# What Chromium answers when the Host header names neither an address nor localhost.
HOST_REFUSED = "Host header"

# Of the browser, whatever its id: Chrome without discovery takes it, after it asked its user.
BROWSER_PATH = "/devtools/browser"
DEVTOOLS_PATH = "/devtools/"  # of anything that can be debugged

# Statuses of a server that has no /json/version, and may have a WebSocket all the same.
_NO_DISCOVERY = frozenset({400, 404, 405, 426, 501})


@dataclass(frozen=True, slots=True)
class Found:
    """Where a browser's WebSocket may be.

    Attributes:
        urls: The likeliest first.
        doubt: Why it may be none; "" when the browser itself told of it.
    """

    urls: tuple[str, ...]
    doubt: str = ""


async def websocket_url(
    endpoint: str, *, headers: Mapping[str, str] | None = None, timeout: float = 10.0
) -> str:
    """Find the WebSocket address of a browser.

    Args:
        endpoint: `ws(s)://` (returned as it is), `http(s)://`, `host:port`, or a port.
        headers: Sent with the request for `/json/version`.
        timeout: Seconds for all of it.

    Raises:
        EndpointError: nobody answers there, or what answers is no browser.
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
    """Find where the WebSocket of a browser may be, as `websocket_url` does, but give no server up
    that knows no `/json/version`: gateways often do not, nor does Chrome where its user switched
    debugging on at chrome://inspect.

    Raises:
        EndpointError: nobody answers there.
    """
    try:
        parts = _parts(endpoint)
        if parts.scheme in ("ws", "wss"):
            return Found((endpoint,))
        return await _ask(parts, headers)
    except (OSError, ValueError, asyncio.IncompleteReadError) as error:
        raise EndpointError(endpoint, str(error).rstrip(".") or type(error).__name__) from error


async def resource(endpoint: str, path: str, headers: Mapping[str, str]) -> Answer:
    """Ask a browser for what it serves over HTTP.

    Args:
        endpoint: As in `websocket_url`; of a WebSocket address, the server that it is on.
        path: "/json/protocol".
        headers: Sent along.

    Raises:
        EndpointError: nobody answers there.
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
    """Read the WebSocket address of the browser that runs on a profile (DevToolsActivePort).

    Args:
        directory: The browser's user data directory.

    Raises:
        EndpointError: no browser with remote debugging runs on it.
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
    """Return the addresses to try for the one that a browser named, the likeliest first.

    A browser behind a forwarded port, a container's wall or a TLS proxy names itself by what it
    sees; where it was asked, it can be reached. A gateway may send us to another host on purpose.
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
    """Whether a host name or address means something only within its own network."""
    try:
        return not ipaddress.ip_address(host).is_global
    except ValueError:
        return "." not in host


def _secured(url: SplitResult) -> str:
    return "wss" if url.scheme == "https" else "ws"
