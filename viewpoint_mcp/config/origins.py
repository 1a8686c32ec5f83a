"""Lists of allowed and blocked origins, with their flags, parsers and checks."""

import re
from collections.abc import Sequence
from ipaddress import ip_address
from typing import Annotated, Literal
from unicodedata import normalize
from urllib.parse import urlsplit

from msgspec import Struct

from viewpoint_mcp.config.flag_annotations import Flag, Heading
from viewpoint_mcp.errors import BlockedError, CallError

OriginFlag = Literal["--allowed-origins", "--blocked-origins"]

DEFAULT_PORTS = {"http": 80, "https": 443}
_SCHEMES = {"http": "http", "ws": "http", "https": "https", "wss": "https", "*": None}
_SEPARATORS = re.compile(r"[;,\s]+")
_ENTRY = re.compile(
    r"(?:(?P<scheme>[a-zA-Z*][a-zA-Z0-9+.-]*)://)?"
    r"(?P<host>\[[0-9a-fA-F:.]+\]|[^/\[\]:@?#]+)(?::(?P<port>\d+|\*))?/?"
)
_LABEL = re.compile(r"[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?")
_EXAMPLE = (
    "Write origins separated by semicolons, such as "
    "https://example.com;http://localhost:3000;*.example.org."
)
_MAX_LISTED = 10
_HOW_TO_CHANGE = "Only the user who started this server can change that."


class OriginEntry(Struct, frozen=True):
    """One entry of a list of origins, created by `parse_origins`.

    Args:
        text: The text that the user wrote.
        scheme: "http", which includes ws, or "https", which includes wss; None for all schemes.
        host: Host in lower case and in the form of Chromium. `*` matches any host; `*.` before a
            name matches its subdomains.
        port: The port; None for any.
    """

    text: str
    scheme: str | None
    host: str
    port: int | None


def parse_origins(text: str) -> tuple[OriginEntry, ...]:
    """Parse a list of origins, separated by semicolons, commas or blanks.

    An entry is an origin or a host. An origin without a port has the default port of its scheme. A
    host matches all schemes and, without a port, all ports. `*` means any host or port, and `*.`
    before a name means its subdomains.

    Raises:
        CallError: An entry is malformed, or the list is empty.
    """
    entries = tuple(_parse_entry(each) for each in _SEPARATORS.split(text) if each)
    if not entries:
        raise CallError("The list of origins is empty.", _EXAMPLE)
    return entries


def parse_origin_lists(texts: Sequence[str]) -> tuple[OriginEntry, ...]:
    """Parse several lists of origins and join them. See `parse_origins`."""
    return parse_origins(";".join(texts))


def to_texts(entries: Sequence[OriginEntry]) -> list[str]:
    """Return the texts of entries, as the user wrote them."""
    return [entry.text for entry in entries]


class OriginRules(Struct, frozen=True):
    """The origins that pages may reach, by navigations and by all other requests.

    Args:
        allowed: The only origins that pages may reach; empty for all.
        blocked: Origins that pages may not reach, even if they are allowed.
        writable: The agent acts on pages of these origins only; empty for all.
        allows_private_network: Whether public pages may reach private addresses, and everybody
            the metadata services of clouds.
    """

    allowed: Annotated[
        tuple[OriginEntry, ...],
        Flag(
            "--allowed-origins",
            Heading.NETWORK,
            "Only origins that pages may load from, separated by semicolons: "
            "https://example.com, localhost:3000, *.example.org (its subdomains), * (any).",
            metavar="ORIGINS",
            parse=parse_origin_lists,
            is_repeatable=True,
            config_keys=("network.allowedOrigins",),
            to_config=to_texts,
        ),
    ] = ()
    blocked: Annotated[
        tuple[OriginEntry, ...],
        Flag(
            "--blocked-origins",
            Heading.NETWORK,
            "Origins that pages may not load from, even if allowed.",
            metavar="ORIGINS",
            parse=parse_origin_lists,
            is_repeatable=True,
            config_keys=("network.blockedOrigins",),
            to_config=to_texts,
        ),
    ] = ()
    writable: Annotated[
        tuple[OriginEntry, ...],
        Flag(
            "--writable-origins",
            Heading.NETWORK,
            "The agent acts on pages of these origins only; it may read all others.",
            metavar="ORIGINS",
            parse=parse_origin_lists,
            is_repeatable=True,
            to_config=to_texts,
        ),
    ] = ()
    allows_private_network: Annotated[
        bool,
        Flag(
            "--allow-private-network",
            Heading.NETWORK,
            "Allow public pages to reach this machine and its local network, and all pages the "
            "metadata services of clouds.",
        ),
    ] = False

    @property
    def has_entries(self) -> bool:
        """Whether a list limits what pages may reach."""
        return bool(self.allowed or self.blocked)


def _parse_entry(text: str) -> OriginEntry:
    found = _ENTRY.fullmatch(text)
    if found is None:
        raise CallError(f'"{text}" is not an origin.', _EXAMPLE)
    scheme = (found["scheme"] or "*").lower()
    if scheme not in _SCHEMES:
        raise CallError(f'"{text}" has the unsupported scheme "{scheme}".', _EXAMPLE)
    kind = _SCHEMES[scheme]
    port = int(found["port"]) if (found["port"] or "*") != "*" else None
    if port is None and found["port"] is None and kind is not None:
        port = DEFAULT_PORTS[kind]
    if port is not None and not 0 < port < 65536:
        raise CallError(f'"{text}" has an invalid port.', _EXAMPLE)
    return OriginEntry(text, kind, _parse_host(found["host"], text), port)


def _parse_host(host: str, entry_text: str) -> str:
    if host == "*":
        return host
    wildcard, name = ("*.", host[2:]) if host.startswith("*.") else ("", host)
    name = canonicalize_host(_encode_idna(name))
    is_address = _is_address(name)
    if (is_address and wildcard) or not (is_address or all(map(_LABEL.fullmatch, name.split(".")))):
        raise CallError(f'"{entry_text}" has no valid host.', _EXAMPLE)
    if not is_address and name.rpartition(".")[2].isdigit():
        raise CallError(f'"{entry_text}" is an incomplete IP address.', _EXAMPLE)
    return wildcard + name


def _encode_idna(name: str) -> str:
    """Return a host name in ASCII, as browsers do (UTS 46, nontransitional).

    Python's codec "idna" implements IDNA 2003, which converts "straße" to another host.
    """
    # Each character alone, because `str.lower` of a whole word converts a final sigma differently.
    lower = "".join(map(str.lower, normalize("NFKC", name)))
    labels = normalize("NFKC", lower).replace("\u3002", ".").split(".")
    return ".".join(
        label if label.isascii() else f"xn--{label.encode('punycode').decode()}" for label in labels
    )


def canonicalize_host(host: str) -> str:
    """Return the canonical form of a host.

    It is in lower case, without brackets and without the final dot. An IPv6 address that maps an
    IPv4 address becomes the IPv4 address.
    """
    name = host.lower().strip("[]").removesuffix(".")
    try:
        address = ip_address(name)
    except ValueError:
        return name
    return str(getattr(address, "ipv4_mapped", None) or address)


def _is_address(host: str) -> bool:
    try:
        ip_address(host)
    except ValueError:
        return False
    return True


class OriginRefusal(Struct, frozen=True):
    """The reason why an origin may not be reached.

    Args:
        flag: The flag whose list decides it.
        reason: A clause with the flag and its entries, and a sentence for the agent.
    """

    flag: OriginFlag
    reason: str


def find_refusal(rules: OriginRules, scheme: str, host: str, port: int) -> OriginRefusal | None:
    """Return why the rules refuse an origin; None if they allow it.

    Args:
        rules: The lists of origins.
        scheme: "http" or "https".
        host: The host in any form.
        port: The port.
    """
    name = canonicalize_host(host)
    for entry in rules.blocked:
        if _matches(entry, scheme, name, port):
            reason = f"--blocked-origins blocks it ({entry.text}). {_HOW_TO_CHANGE}"
            return OriginRefusal("--blocked-origins", reason)
    if rules.allowed and not any(_matches(entry, scheme, name, port) for entry in rules.allowed):
        entries = _format_entries(rules.allowed)
        reason = f"--allowed-origins allows only {entries}. {_HOW_TO_CHANGE}"
        return OriginRefusal("--allowed-origins", reason)
    return None


def _matches(entry: OriginEntry, scheme: str, host: str, port: int) -> bool:
    if entry.scheme not in (None, scheme) or entry.port not in (None, port):
        return False
    if entry.host.startswith("*."):
        return host.endswith(entry.host[1:])
    return entry.host in ("*", host)


def is_url_listed(entries: Sequence[OriginEntry], url: str) -> bool:
    """Return whether an entry matches the origin of a URL; False without http and https."""
    parts = urlsplit(url)
    if parts.scheme not in DEFAULT_PORTS:
        return False
    host, port = canonicalize_host(parts.hostname or ""), parts.port or DEFAULT_PORTS[parts.scheme]
    return any(_matches(entry, parts.scheme, host, port) for entry in entries)


def find_url_refusal(rules: OriginRules, url: str) -> tuple[str, OriginRefusal] | None:
    """Return the origin of a URL and the reason why the rules refuse it.

    Returns:
        None if the rules allow the URL, or its scheme is not http or https.
    """
    parts = urlsplit(url)
    if parts.scheme not in DEFAULT_PORTS:
        return None
    host, port = parts.hostname or "", parts.port or DEFAULT_PORTS[parts.scheme]
    refusal = find_refusal(rules, parts.scheme, host, port)
    return None if refusal is None else (format_origin(parts.scheme, host, port), refusal)


def raise_if_url_not_allowed(rules: OriginRules, url: str) -> None:
    """Raise an error unless the rules allow a URL to be opened.

    Raises:
        BlockedError: The rules refuse the URL. The message names the list and its entries.
    """
    found = find_url_refusal(rules, url)
    if found is not None:
        origin, refusal = found
        raise BlockedError(f"{origin} was not opened: {refusal.reason}")


def _format_entries(entries: tuple[OriginEntry, ...]) -> str:
    rest_count = len(entries) - _MAX_LISTED
    text = ", ".join(entry.text for entry in entries[:_MAX_LISTED])
    return f"{text} and {rest_count} more" if rest_count > 0 else text


def format_origin(scheme: str | None, host: str, port: int) -> str:
    """Return an origin as text, without the default port of its scheme.

    Args:
        scheme: The scheme; None to derive it from the port. If that fails, the text has none.
        host: The host, without brackets.
        port: The port.
    """
    scheme = scheme or {80: "http", 443: "https"}.get(port)
    name = f"[{host}]" if ":" in host else host
    front = f"{scheme}://{name}" if scheme else name
    return front if scheme and DEFAULT_PORTS.get(scheme) == port else f"{front}:{port}"
