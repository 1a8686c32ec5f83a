"""The user at the other end of a loopback connection."""

from __future__ import annotations

import os
import socket
import struct
import sys
from ipaddress import ip_address
from pathlib import Path

Address = tuple[str, int]

LOOPBACK = "127.0.0.1"

_TABLE = Path("/proc/net/tcp")
_LOCAL, _REMOTE, _USER = 1, 2, 7  # columns of the table

_NETLINK_SOCK_DIAG, _SOCK_DIAG_BY_FAMILY, _REQUEST = 4, 20, 1
_ALL_STATES = _ANY_COOKIE = 0xFFFFFFFF
_HEADER = struct.Struct("=IHHII")  # length, type, flags, sequence, port
_QUERY = struct.Struct("=BBBBI")  # family, protocol, extensions, padding, states
_SOCKET = struct.Struct("!HH4s12x4s12x")  # ports and addresses of both ends
_SUFFIX = struct.Struct("=III")  # interface, cookie
_USER_AT = _HEADER.size + 4 + _SOCKET.size + _SUFFIX.size + 12


def is_loopback(host: str) -> bool:
    """Return whether a host name or address is a loopback one."""
    try:
        return host == "localhost" or ip_address(host).is_loopback
    except ValueError:
        return False


def is_same_user(peer: Address, local: Address) -> bool:
    """Return whether the process at the other end of an IPv4 connection belongs to the same user.

    Only Linux provides this; on other systems the result is always True.

    Args:
        peer: Address of the other end.
        local: Address of this end.
    """
    if not sys.platform.startswith("linux"):
        return True
    user = find_user_by_netlink(peer, local)
    if user is None:
        user = find_user_by_table(peer, local)
    return user == os.geteuid()


def find_user_by_netlink(peer: Address, local: Address) -> int | None:
    """Return the user id of one connection's owner from the kernel, in about 20 µs.

    None if the kernel does not answer or knows no such connection.

    Source: sock_diag(7).
    """
    if sys.platform != "linux":
        return None
    ends = _SOCKET.pack(peer[1], local[1], socket.inet_aton(peer[0]), socket.inet_aton(local[0]))
    query = _QUERY.pack(socket.AF_INET, socket.IPPROTO_TCP, 0, 0, _ALL_STATES)
    body = query + ends + _SUFFIX.pack(0, _ANY_COOKIE, _ANY_COOKIE)
    header = _HEADER.pack(_HEADER.size + len(body), _SOCK_DIAG_BY_FAMILY, _REQUEST, 0, 0)
    try:
        with socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, _NETLINK_SOCK_DIAG) as kernel:
            kernel.settimeout(1.0)
            kernel.send(header + body)
            answer = kernel.recv(4096)
    except OSError:
        return None
    if _HEADER.unpack_from(answer)[1] != _SOCK_DIAG_BY_FAMILY:
        return None  # an error: no such connection, or a kernel without sock_diag
    user: int = struct.unpack_from("=I", answer, _USER_AT)[0]
    return user


def find_user_by_table(peer: Address, local: Address, table: Path = _TABLE) -> int | None:
    """Return the user id of one connection's owner from the kernel's table, in some milliseconds.

    None if the table cannot be read or does not list the connection.

    Source: proc_pid_net(5).
    """
    try:
        lines = table.read_text().splitlines()[1:]
    except OSError:
        return None
    ends = [_format_proc_net_address(peer), _format_proc_net_address(local)]
    for line in lines:
        columns = line.split()
        if [columns[_LOCAL], columns[_REMOTE]] == ends:
            return int(columns[_USER])
    return None


def _format_proc_net_address(address: Address) -> str:
    host, port = address
    (number,) = struct.unpack("=I", socket.inet_aton(host))
    return f"{number:08X}:{port:04X}"
