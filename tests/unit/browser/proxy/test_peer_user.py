"""The user at the other end of a loopback connection, as the kernel reports it."""

from __future__ import annotations

import os
import socket
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from viewpoint_mcp.browser.proxy.peer_user import (
    Address,
    find_user_by_netlink,
    find_user_by_table,
    is_loopback,
    is_same_user,
)

linux_only = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="only Linux tells")
FindUser = Callable[[Address, Address], int | None]
WAYS: list[FindUser] = [find_user_by_netlink, find_user_by_table]


@pytest.fixture
def ends() -> Iterator[tuple[Address, Address]]:
    """Return the two ends of a connection of this process: the peer's, and the accepted one."""
    with (
        socket.create_server(("127.0.0.1", 0)) as server,
        socket.create_connection(server.getsockname()),
    ):
        accepted, peer = server.accept()
        with accepted:
            yield peer, accepted.getsockname()


def test_this_process_belongs_to_this_user(ends: tuple[Address, Address]) -> None:
    assert is_same_user(*ends)


@linux_only
@pytest.mark.parametrize("user", WAYS)
def test_each_method_finds_the_user(user: FindUser, ends: tuple[Address, Address]) -> None:
    assert user(*ends) == os.geteuid()


@linux_only
@pytest.mark.parametrize("user", WAYS)
def test_a_connection_that_is_not_there_is_nobodys(
    user: FindUser, ends: tuple[Address, Address]
) -> None:
    assert user(("127.0.0.1", 9), ends[1]) is None
    assert not is_same_user(("127.0.0.1", 9), ends[1])


def test_the_user_is_that_of_the_peers_end(tmp_path: Path) -> None:
    # As on a machine of this byte order.
    host = "0100007F" if sys.byteorder == "little" else "7F000001"
    rest = "01 00000000:00000000 00:00000000 00000000"
    table = tmp_path / "tcp"
    table.write_text(
        "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid\n"
        f"   0: {host}:C001 {host}:1F90 {rest} 4711 0 1\n"
        f"   1: {host}:1F90 {host}:C001 {rest} 4712 0 1\n"
    )
    assert find_user_by_table(("127.0.0.1", 0x1F90), ("127.0.0.1", 0xC001), table) == 4712


def test_without_a_table_there_is_no_telling(tmp_path: Path) -> None:
    assert find_user_by_table(("127.0.0.1", 1), ("127.0.0.1", 2), tmp_path / "none") is None


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1", "127.8.0.1", "::1"])
def test_loopback_is_this_machine(host: str) -> None:
    assert is_loopback(host)


@pytest.mark.parametrize("host", ["", "0.0.0.0", "10.0.0.1", "example.com", "localhost.evil.com"])
def test_everything_else_may_be_another(host: str) -> None:
    assert not is_loopback(host)
