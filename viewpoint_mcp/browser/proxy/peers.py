"""Who is at the other end of a loopback connection."""

from __future__ import annotations

import os
import socket
import struct
import sys
from ipaddress import ip_address
from pathlib import Path

Address = tuple[str, int]

_LOCAL, _REMOTE, _USER = 1, 2, 7  # columns


def is_loopback(host: str) -> bool:
    """Whether a host name or address is this machine's own."""
    try:
        return host == "localhost" or ip_address(host).is_loopback
    except ValueError:
        return False


def is_same_user(peer: Address, here: Address, table: Path = Path("/proc/net/tcp")) -> bool:
    """Whether a process of our own user has the other end of a connection over IPv4.

    Only Linux tells; elsewhere everybody passes.

    Args:
        peer: The other end.
        here: Our end.
        table: The kernel's list of connections.

    Source: proc_pid_net(5).
    """
    if not sys.platform.startswith("linux"):
        return True
    try:
        lines = table.read_text().splitlines()[1:]
    except OSError:
        return True
    ends = [_written(peer), _written(here)]
    for line in lines:
        columns = line.split()
        if [columns[_LOCAL], columns[_REMOTE]] == ends:
            return int(columns[_USER]) == os.geteuid()
    return False


def _written(address: Address) -> str:
    host, port = address
    (number,) = struct.unpack("=I", socket.inet_aton(host))
    return f"{number:08X}:{port:04X}"
