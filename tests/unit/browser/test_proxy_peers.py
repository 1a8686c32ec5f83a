"""Who is at the other end of a loopback connection, by the kernel's table."""

from __future__ import annotations

import os
import socket
import sys
from pathlib import Path

import pytest

from viewpoint_mcp.browser.proxy.peers import is_loopback, is_same_user

PEER, HERE = ("127.0.0.1", 0x1F90), ("127.0.0.1", 0xC001)

linux_only = pytest.mark.skipif(
    not sys.platform.startswith("linux"), reason="the table is that of Linux"
)


def table(directory: Path, user: int) -> Path:
    # As on a machine of this byte order.
    host = "0100007F" if sys.byteorder == "little" else "7F000001"
    rest = "01 00000000:00000000 00:00000000 00000000"
    file = directory / "tcp"
    file.write_text(
        "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid\n"
        f"   0: {host}:C001 {host}:1F90 {rest} 4711 0 1\n"
        f"   1: {host}:1F90 {host}:C001 {rest} {user} 0 1\n"
    )
    return file


@linux_only
def test_our_own_users_processes_are_told_from_others(tmp_path: Path) -> None:
    assert is_same_user(PEER, HERE, table(tmp_path, os.geteuid()))
    assert not is_same_user(PEER, HERE, table(tmp_path, os.geteuid() + 1))


@linux_only
def test_an_end_that_is_gone_is_nobody_of_ours(tmp_path: Path) -> None:
    assert not is_same_user(("127.0.0.1", 9), HERE, table(tmp_path, os.geteuid()))


def test_a_connection_of_our_own_is_found() -> None:
    with (
        socket.create_server(("127.0.0.1", 0)) as server,
        socket.create_connection(server.getsockname()) as client,
    ):
        accepted, peer = server.accept()
        with accepted:
            assert client.getsockname() == peer
            assert is_same_user(peer, accepted.getsockname())


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1", "127.8.0.1", "::1"])
def test_loopback_is_this_machine(host: str) -> None:
    assert is_loopback(host)


@pytest.mark.parametrize("host", ["", "0.0.0.0", "10.0.0.1", "example.com", "localhost.evil.com"])
def test_everything_else_may_be_another(host: str) -> None:
    assert not is_loopback(host)
