"""Finds the WebSocket address for an endpoint (an address or a port) or a profile directory."""

from __future__ import annotations

import asyncio
import ipaddress
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import SplitResult

import orjson

from cdp_protocol.discovery.http_client import HttpResponse, parse_url, send_request
from cdp_protocol.errors import EndpointError

# Part of Chromium's response if the Host header is neither an IP address nor localhost.
HOST_REFUSED_TEXT = "Host header"

# Path of the browser's WebSocket without its id. A Chrome without /json/version accepts it after it
# asked its user.
BROWSER_PATH = "/devtools/browser"
DEVTOOLS_PATH = "/devtools/"  # prefix of the WebSocket paths of all targets

# HTTP statuses of a server without /json/version, which may offer a WebSocket nevertheless.
_NO_DISCOVERY_STATUSES = frozenset({400, 404, 405, 426, 501})


@dataclass(frozen=True, slots=True)
class CandidateUrls:
    """The possible WebSocket addresses of a browser.

    Attributes:
        urls: The addresses, the most likely first.
        guess_reason: Why the addresses are only a guess, as a clause; "" if they are not.
    """

    urls: tuple[str, ...]
    guess_reason: str = ""


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
            candidates = await find_candidate_urls(endpoint, headers or {})
    except TimeoutError:
        raise EndpointError(endpoint, f"no response within {timeout:g} s") from None
    if candidates.guess_reason:
        raise EndpointError(endpoint, candidates.guess_reason)
    return candidates.urls[0]


async def find_candidate_urls(endpoint: str, headers: Mapping[str, str]) -> CandidateUrls:
    """Find the possible WebSocket addresses of a browser.

    Unlike `websocket_url`, accept a server without `/json/version` and guess its address. Many
    gateways lack this resource, and so does a Chrome with debugging enabled at chrome://inspect.

    Args:
        endpoint: As in `websocket_url`.
        headers: HTTP headers of the requests.

    Raises:
        EndpointError: No server answers at the endpoint, or its response excludes a browser.
    """
    try:
        parts = _parse_endpoint(endpoint)
        if parts.scheme in ("ws", "wss"):
            return CandidateUrls((endpoint,))
        return await _discover_urls(parts, headers)
    except (OSError, ValueError, asyncio.IncompleteReadError) as error:
        raise EndpointError(endpoint, str(error).rstrip(".") or type(error).__name__) from error


async def fetch_resource(endpoint: str, path: str, headers: Mapping[str, str]) -> HttpResponse:
    """Request an HTTP resource of a browser.

    Args:
        endpoint: As in `websocket_url`. For a WebSocket address, the request goes to its server.
        path: The path of the resource: "/json/protocol".
        headers: HTTP headers of the request.

    Raises:
        EndpointError: No server answers at the endpoint, or its response is not HTTP.
    """
    try:
        parts = _parse_endpoint(endpoint)
        if parts.scheme in ("ws", "wss"):
            scheme = "https" if parts.scheme == "wss" else "http"
            prefix = parts.path.partition(DEVTOOLS_PATH)[0].rstrip("/")
            parts = parts._replace(scheme=scheme, path=prefix)
        return await _fetch_with_ip_fallback(parts, path, headers)
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
        url = f"ws://127.0.0.1:{int(port)}{path.strip()}"
        return parse_url(url).geturl()
    except FileNotFoundError:
        raise EndpointError(
            str(directory),
            "it has no DevToolsActivePort file, so no browser with remote debugging uses it",
        ) from None
    except (OSError, ValueError) as error:
        raise EndpointError(str(directory), f"{file.name} cannot be read ({error})") from error


def _parse_endpoint(endpoint: str) -> SplitResult:
    if endpoint.isdigit():
        endpoint = f"127.0.0.1:{endpoint}"
    parts = parse_url(endpoint if "://" in endpoint else f"http://{endpoint}")
    if parts.scheme not in ("http", "https", "ws", "wss") or not parts.hostname:
        raise ValueError("the address has no host, or its scheme is not http, https, ws or wss")
    return parts


async def _fetch_with_ip_fallback(
    endpoint: SplitResult, path: str, headers: Mapping[str, str]
) -> HttpResponse:
    response = await send_request(
        endpoint._replace(path=f"{endpoint.path.rstrip('/')}{path}"), headers
    )
    if response.status >= 400 and HOST_REFUSED_TEXT in response.body.decode(errors="replace"):
        response = await send_request(await _resolve_host_to_ip(response.url), headers)
    return response


async def _discover_urls(endpoint: SplitResult, headers: Mapping[str, str]) -> CandidateUrls:
    response = await _fetch_with_ip_fallback(endpoint, "/json/version", headers)
    if response.status == 200:
        try:
            reported = str(orjson.loads(response.body)["webSocketDebuggerUrl"])
        except (orjson.JSONDecodeError, KeyError, TypeError):
            return _guess_url(endpoint, "/json/version has no webSocketDebuggerUrl")
        return CandidateUrls(_list_urls_to_try(parse_url(reported), response))
    reason = f"/json/version answered with status {response.status}"
    if response.status not in _NO_DISCOVERY_STATUSES:
        raise ValueError(reason)
    return _guess_url(endpoint, reason)


async def _resolve_host_to_ip(url: SplitResult) -> SplitResult:
    loop = asyncio.get_running_loop()
    addresses = await loop.getaddrinfo(url.hostname, url.port)
    address = str(addresses[0][4][0])
    host = f"[{address}]" if ":" in address else address
    user, at, _ = url.netloc.rpartition("@")
    return url._replace(netloc=f"{user}{at}{host}{f':{url.port}' if url.port else ''}")


def _guess_url(endpoint: SplitResult, reason: str) -> CandidateUrls:
    path = endpoint.path.rstrip("/")
    if not path and not endpoint.query:
        path = BROWSER_PATH
    return CandidateUrls(
        (endpoint._replace(scheme=_websocket_scheme(endpoint), path=path or "/").geturl(),), reason
    )


def _list_urls_to_try(reported_url: SplitResult, response: HttpResponse) -> tuple[str, ...]:
    """Return the addresses to try for the address that a browser reported, the most likely first.

    A browser behind port forwarding, in a container or behind a TLS proxy reports an address of its
    own network. This client can reach it where it sent the request. A gateway, in contrast, may
    report another host on purpose.
    """
    request_url = response.url
    prefix = request_url.path.removesuffix("/json/version")
    same_host = reported_url._replace(
        scheme=_websocket_scheme(request_url),
        netloc=request_url.netloc,
        query=reported_url.query or request_url.query,
    )
    with_prefix = same_host._replace(path=prefix + same_host.path)
    is_private = reported_url.hostname == request_url.hostname or _is_private_host(
        reported_url.hostname or ""
    )
    own_host_urls = (
        [with_prefix, same_host]
        if prefix and not same_host.path.startswith(prefix)
        else [same_host]
    )
    urls = [*own_host_urls, reported_url] if is_private else [reported_url, *own_host_urls]
    return tuple(dict.fromkeys(url.geturl() for url in urls))


def _is_private_host(host: str) -> bool:
    """Return whether a host name or IP address is valid only within its own network."""
    try:
        return not ipaddress.ip_address(host).is_global
    except ValueError:
        return "." not in host


def _websocket_scheme(url: SplitResult) -> str:
    return "wss" if url.scheme == "https" else "ws"
