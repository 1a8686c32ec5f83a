"""The check and completion of a URL that an agent opens."""

from __future__ import annotations

import re
from urllib.parse import urlsplit

from viewpoint_mcp.config.private_network import find_host, is_metadata_host
from viewpoint_mcp.errors import BlockedError, CallError
from viewpoint_mcp.page.shorten import shorten_url

URL_HINT = "Pass a complete URL, such as https://example.com/."

_SCHEME_PREFIX = re.compile(r"[a-zA-Z][a-zA-Z0-9+.-]*:")
_HOST_AND_PORT = re.compile(r"[^/?#:\s]+:\d+(?:[/?#]|$)")
_SCHEME_AND_SLASHES = re.compile(r"\A[a-zA-Z][a-zA-Z0-9+.-]*:/+")
_WHITESPACE = re.compile(r"[\x00-\x20]")
_LOCAL_HOST = re.compile(r"(localhost|127\.\d+\.\d+\.\d+|\[::1\])(?=[:/?#]|$)", re.IGNORECASE)
_WEB_SCHEMES = frozenset({"http", "https", "about", "data", "blob"})
_FILE_SCHEMES = frozenset({"file", "view-source"})
_BROWSER_SCHEMES = frozenset(
    {"chrome", "chrome-extension", "devtools", "edge", "brave", "opera", "vivaldi"}
)
_OTHER_SCHEMES = frozenset({"javascript", "vbscript", "filesystem", "mailto", "tel", "ftp"})
_SCHEMES = _WEB_SCHEMES | _FILE_SCHEMES | _BROWSER_SCHEMES | _OTHER_SCHEMES
_WRAPPING_SCHEMES = ("view-source", "blob", "filesystem")  # another URL follows
_BLANK_PAGE = re.compile(r"about:blank(?:[?#]|$)", re.IGNORECASE)


def complete_url(url: str, *, files_allowed: bool) -> str:
    """Return a complete URL: `example.com` gets https://, `localhost:3000` gets http://.

    Args:
        files_allowed: Whether URLs of files and of the browser's own pages are allowed.

    Raises:
        CallError: The text is no URL.
        BlockedError: Its scheme is not allowed.
    """
    text = url.strip()
    host = re.split("[/?#]", _SCHEME_AND_SLASHES.sub("", text, count=1), maxsplit=1)[0]
    if not text or (_WHITESPACE.search(host) and not text.lower().startswith("data:")):
        raise CallError(f'"{shorten_url(url)}" is not a URL.', URL_HINT)
    if host.endswith(":") and not (_LOCAL_HOST.match(text) or _has_scheme(text)):
        raise CallError(f'"{shorten_url(url)}" is not a URL: its scheme is malformed.', URL_HINT)
    text = add_scheme(text)
    _raise_if_url_invalid_or_scheme_not_allowed(text, url, files_allowed)
    return text


def add_scheme(text: str) -> str:
    """Return a URL with a scheme: http:// for this machine and https:// for others, if missing."""
    if _LOCAL_HOST.match(text):
        return f"http://{text}"
    return text if _has_scheme(text) else f"https://{text}"


def _raise_if_url_invalid_or_scheme_not_allowed(
    url: str, given_url: str, files_allowed: bool
) -> None:
    try:
        parts = urlsplit(url)
        port_or_host_missing = parts.scheme in ("http", "https") and (
            not parts.hostname or parts.port == 0
        )
    except ValueError as error:
        raise CallError(f'"{shorten_url(given_url)}" is not a URL: {error}.', URL_HINT) from error
    if port_or_host_missing:
        raise CallError(f'"{shorten_url(given_url)}" is not a URL: it has no host.', URL_HINT)
    _raise_if_scheme_not_allowed(url, files_allowed)


def _has_scheme(text: str) -> bool:
    """Return whether a text begins with a scheme. `host:80` has none, but `javascript:1` has."""
    if not _SCHEME_PREFIX.match(text):
        return False
    return not _HOST_AND_PORT.match(text) or text.partition(":")[0].lower() in _SCHEMES


def _raise_if_scheme_not_allowed(url: str, files_allowed: bool) -> None:
    scheme, inner_scheme = url.partition(":")[0].lower(), _find_inner_scheme(url)
    is_browser_page = inner_scheme in _BROWSER_SCHEMES or (
        inner_scheme == "about" and not _BLANK_PAGE.match(url)
    )
    if inner_scheme == "file" and not files_allowed:
        raise BlockedError(
            "file: URLs are not allowed.",
            "Serve the file over http, or start the server with --allow-unrestricted-file-access.",
        )
    if is_browser_page and not files_allowed:
        raise BlockedError(
            f"{shorten_url(url)} is not allowed, because it may be a page of the browser itself.",
            "Only a server that was started with --allow-unrestricted-file-access opens such a "
            "page.",
        )
    if scheme not in _WEB_SCHEMES and not (
        files_allowed and scheme in _FILE_SCHEMES | _BROWSER_SCHEMES
    ):
        hint = "To run a script, use browser_evaluate." if scheme == "javascript" else URL_HINT
        raise CallError(f'"{scheme}:" URLs are not allowed.', hint)


def _find_inner_scheme(url: str) -> str:
    """Return the scheme of a URL, or of the URL in it: "file" for `view-source:file:///a`."""
    scheme, _, rest = url.partition(":")
    while scheme.lower() in _WRAPPING_SCHEMES:
        scheme, _, rest = rest.partition(":")
    return scheme.lower()


def raise_if_metadata_service(url: str) -> None:
    """Raise an error if a URL is that of a metadata service of a cloud.

    Raises:
        BlockedError: The URL is that of a metadata service.
    """
    host = find_host(url)
    if host is not None and is_metadata_host(host):
        raise BlockedError(
            f"{host} was not opened: it is a metadata service, which gives a machine its "
            "credentials.",
            "Only a server that was started with --allow-private-network opens it.",
        )
