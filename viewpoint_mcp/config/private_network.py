"""Addresses of this machine, of its local network, and of metadata services of clouds."""

from __future__ import annotations

import socket
from contextlib import suppress
from ipaddress import ip_address, ip_network
from typing import Final
from urllib.parse import urlsplit

from viewpoint_mcp.config.origins import DEFAULT_PORTS, canonicalize_host, format_origin

URL_PATTERNS: Final = tuple(
    f"*://{login}{host}*"
    for login in ("", "*@")
    for host in (
        *("localhost", "*.localhost", "*.local", "*.localdomain", "*.internal", "*.lan"),
        *("*.home.arpa", "*.intranet"),
        *("0.", "10.", "127.", "169.254.", "172.", "192.168.", "100.", "[::", "[64:ff9b:", "[f"),
    )
)
"""Patterns of CDP `Fetch.RequestPattern` that match each private URL, and others.

A host without a dot, which only the local network can resolve, has no such pattern.
"""

_NETWORKS = tuple(
    map(
        ip_network,
        (
            *("0.0.0.0/8", "127.0.0.0/8", "::/127"),  # this machine: RFC 1122, RFC 4291
            *("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16"),  # RFC 1918
            *("169.254.0.0/16", "fe80::/10", "fec0::/10"),  # link-local and site-local
            *("100.64.0.0/10", "fc00::/7"),  # carriers (RFC 6598), unique local (RFC 4193)
        ),
    )
)
_NAT64 = ip_network("64:ff9b::/96")  # RFC 6052: the last four bytes are an IPv4 address
_LOCAL_SUFFIXES = (
    *(".localhost", ".local", ".localdomain", ".internal", ".lan", ".home.arpa", ".intranet"),
)
_METADATA_HOSTS = frozenset(
    {
        *("169.254.169.254", "169.254.170.2", "fd00:ec2::254", "100.100.100.200"),
        *("metadata.google.internal", "metadata.goog", "instance-data", "metadata"),
        *("metadata.azure.internal", "instance-data.ec2.internal", "metadata.tencentyun.com"),
    }
)


def is_private_host(host: str) -> bool:
    """Return whether a host is this machine, or a machine of its local network, by its name.

    Args:
        host: A name or an IP address in any form that browsers accept, such as `127.1`.
    """
    name = _canonicalize(host)
    try:
        address = ip_address(name)
    except ValueError:
        return "." not in name or name.endswith(_LOCAL_SUFFIXES)
    if address in _NAT64:
        address = ip_address(int(address) & 0xFFFFFFFF)
    return any(address in network for network in _NETWORKS if network.version == address.version)


def is_metadata_host(host: str) -> bool:
    """Return whether a host is a metadata service, which gives a machine its credentials."""
    return _canonicalize(host) in _METADATA_HOSTS


def _canonicalize(host: str) -> str:
    """Return the canonical form of a host. Chromium also accepts `127.1` and `0x7f000001`."""
    name = canonicalize_host(host)
    last_label = name.rpartition(".")[2]
    if last_label[:1].isdigit() and ":" not in name:
        with suppress(OSError):
            return socket.inet_ntoa(socket.inet_aton(name))
    return name


def find_host(url: str) -> str | None:
    """Return the host of an http or https URL; None for other URLs."""
    try:
        parts = urlsplit(url)
        return parts.hostname if parts.scheme in DEFAULT_PORTS else None
    except ValueError:
        return None


def is_private_url(url: str) -> bool:
    """Return whether a URL with http or https has a private host; False for other schemes."""
    host = find_host(url)
    return host is not None and is_private_host(host)


def is_public_url(url: str) -> bool:
    """Return whether a URL with http or https has a public host; False for other schemes."""
    host = find_host(url)
    return host is not None and not is_private_host(host)


def find_origin(url: str) -> str:
    """Return the origin of an http or https URL as text, with the host in its canonical form."""
    parts = urlsplit(url)
    host = _canonicalize(parts.hostname or "")
    return format_origin(parts.scheme, host, parts.port or DEFAULT_PORTS[parts.scheme])
