"""Lists of origins, the flags of that, how they are written, and what they say of a place."""

import re
from collections.abc import Sequence
from ipaddress import ip_address
from typing import Annotated, Literal
from unicodedata import normalize
from urllib.parse import urlsplit

from msgspec import Struct

from viewpoint_mcp.config.flag import Flag, Heading
from viewpoint_mcp.errors import CallError

OriginFlag = Literal["--allowed-origins", "--blocked-origins"]

PORTS = {"http": 80, "https": 443}
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
_SHOWN = 10
_LASTING = "Only the user who started this server can change that."


class OriginEntry(Struct, frozen=True):
    """One entry of a list of origins. Made by `parse_origins`.

    Args:
        text: As the user wrote it.
        scheme: http, which stands for ws too, or https, for wss; None for all.
        host: In lower case, as Chromium writes it; `*` for any, `*.` before one for what is below
            it.
        port: None for any.
    """

    text: str
    scheme: str | None
    host: str
    port: int | None


def parse_origins(text: str) -> tuple[OriginEntry, ...]:
    """Read a list of origins, separated by semicolons, commas or blanks.

    An entry is an origin, whose port is that of its scheme if it names none, or a host, which
    stands for all schemes and, without one, for all ports. `*` is any host or port, `*.` before a
    name all that is below it.

    Raises:
        CallError: One is malformed, or there is none.
    """
    entries = tuple(_entry(each) for each in _SEPARATORS.split(text) if each)
    if not entries:
        raise CallError("The list of origins is empty.", _EXAMPLE)
    return entries


def join_origins(texts: Sequence[str]) -> tuple[OriginEntry, ...]:
    """Read lists of origins, and join them."""
    return parse_origins(";".join(texts))


class OriginRules(Struct, frozen=True):
    """Where pages may go, by any way there is.

    Args:
        allowed: Nowhere else; everywhere if it is empty.
        blocked: Nor there, even if allowed.
    """

    allowed: Annotated[
        tuple[OriginEntry, ...],
        Flag(
            "--allowed-origins",
            Heading.NETWORK,
            "Only origins that pages may load from, separated by semicolons: "
            "https://example.com, localhost:3000, *.example.org (its subdomains), * (any).",
            metavar="ORIGINS",
            parse=join_origins,
            is_repeatable=True,
            keys=("network.allowedOrigins",),
        ),
    ] = ()
    blocked: Annotated[
        tuple[OriginEntry, ...],
        Flag(
            "--blocked-origins",
            Heading.NETWORK,
            "Origins that pages may not load from, even if allowed.",
            metavar="ORIGINS",
            parse=join_origins,
            is_repeatable=True,
            keys=("network.blockedOrigins",),
        ),
    ] = ()

    @property
    def are_given(self) -> bool:
        return bool(self.allowed or self.blocked)


def _entry(text: str) -> OriginEntry:
    found = _ENTRY.fullmatch(text)
    if found is None:
        raise CallError(f'"{text}" is no origin.', _EXAMPLE)
    scheme = (found["scheme"] or "*").lower()
    if scheme not in _SCHEMES:
        raise CallError(f'"{text}" has the scheme "{scheme}", which is none of the web.', _EXAMPLE)
    kind = _SCHEMES[scheme]
    port = int(found["port"]) if (found["port"] or "*") != "*" else None
    if port is None and found["port"] is None and kind is not None:
        port = PORTS[kind]
    if port is not None and not 0 < port < 65536:
        raise CallError(f'"{text}" has a port that does not exist.', _EXAMPLE)
    return OriginEntry(text, kind, _host(found["host"], text), port)


def _host(host: str, text: str) -> str:
    if host == "*":
        return host
    above, name = ("*.", host[2:]) if host.startswith("*.") else ("", host)
    name = plain_host(_in_ascii(name))
    is_address = _is_address(name)
    if (is_address and above) or not (is_address or all(map(_LABEL.fullmatch, name.split(".")))):
        raise CallError(f'"{text}" names no host.', _EXAMPLE)
    if not is_address and name.rpartition(".")[2].isdigit():
        raise CallError(f'"{text}" is no whole address.', _EXAMPLE)
    return above + name


def _in_ascii(name: str) -> str:
    """Write a host's name as browsers do (UTS 46, not transitional); Python's own "idna" is that of
    2003, which makes another host of "straße".
    """
    lower = "".join(map(str.lower, normalize("NFKC", name)))  # each by itself: no final sigma
    labels = normalize("NFKC", lower).replace("\u3002", ".").split(".")
    return ".".join(
        label if label.isascii() else f"xn--{label.encode('punycode').decode()}" for label in labels
    )


def plain_host(host: str) -> str:
    """Return the one form of a host that has several: in lower case, without brackets and the dot
    at its end; of an IPv4 address in IPv6 the former.
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


class Refusal(Struct, frozen=True):
    """Why a place may not be reached.

    Args:
        flag: The list that says so.
        words: A clause, which names the list and what it has, and a sentence.
    """

    flag: OriginFlag
    words: str


def refused_by(rules: OriginRules, scheme: str, host: str, port: int) -> Refusal | None:
    """Return what keeps a place from being reached; None when it may be.

    Args:
        scheme: http or https.
    """
    name = plain_host(host)
    for entry in rules.blocked:
        if _names(entry, scheme, name, port):
            words = f"--blocked-origins keeps it out ({entry.text}). {_LASTING}"
            return Refusal("--blocked-origins", words)
    if rules.allowed and not any(_names(entry, scheme, name, port) for entry in rules.allowed):
        words = f"--allowed-origins lets nothing in but {_listed(rules.allowed)}. {_LASTING}"
        return Refusal("--allowed-origins", words)
    return None


def _names(entry: OriginEntry, scheme: str, host: str, port: int) -> bool:
    if entry.scheme not in (None, scheme) or entry.port not in (None, port):
        return False
    if entry.host.startswith("*."):
        return host.endswith(entry.host[1:])
    return entry.host in ("*", host)


def refused(rules: OriginRules, url: str) -> tuple[str, Refusal] | None:
    """Return the origin of what may not be reached and why not; None for what may be."""
    parts = urlsplit(url)
    if parts.scheme not in PORTS:
        return None
    host, port = parts.hostname or "", parts.port or PORTS[parts.scheme]
    refusal = refused_by(rules, parts.scheme, host, port)
    return None if refusal is None else (written(parts.scheme, host, port), refusal)


def check(rules: OriginRules, url: str) -> None:
    """Refuse to open what may not be reached.

    Raises:
        CallError: It says by which list, and what may be opened.
    """
    what = refused(rules, url)
    if what is not None:
        origin, refusal = what
        raise CallError(f"{origin} was not opened: {refusal.words}")


def _listed(entries: tuple[OriginEntry, ...]) -> str:
    more = len(entries) - _SHOWN
    listed = ", ".join(entry.text for entry in entries[:_SHOWN])
    return f"{listed} and {more} more" if more > 0 else listed


def written(scheme: str | None, host: str, port: int) -> str:
    """Return a place as an origin; without a scheme where none is known."""
    scheme = scheme or {80: "http", 443: "https"}.get(port)
    name = f"[{host}]" if ":" in host else host
    front = f"{scheme}://{name}" if scheme else name
    return front if scheme and PORTS.get(scheme) == port else f"{front}:{port}"
