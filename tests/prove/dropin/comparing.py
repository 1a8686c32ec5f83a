"""Plays the session on both servers with one configuration, and compares the outcomes."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.prove.dropin.configurations import Configuration, prepare
from tests.prove.dropin.expected import list_expected
from tests.prove.dropin.player import SERVERS, ServerName, connect
from tests.prove.dropin.session import Outcomes, play, play_again
from tests.prove.dropin.shop import serve_shop


@dataclass(frozen=True, slots=True)
class Comparison:
    """The outcomes of both servers.

    Args:
        configuration: The name of the configuration.
        peer: The outcomes of playwright-mcp.
        ours: The outcomes of viewpoint-mcp.
    """

    configuration: str
    peer: Outcomes
    ours: Outcomes

    @property
    def different(self) -> Mapping[str, tuple[Any, Any]]:
        """The outcomes that differ, in the order of the session."""
        names = dict.fromkeys([*self.peer, *self.ours])
        pairs = {name: (self.peer.get(name), self.ours.get(name)) for name in names}
        return {name: pair for name, pair in pairs.items() if pair[0] != pair[1]}

    @property
    def unexpected(self) -> Mapping[str, tuple[Any, Any]]:
        """The differences that the documentation does not explain."""
        expected = list_expected(self.configuration)
        return {name: pair for name, pair in self.different.items() if name not in expected}

    @property
    def outdated(self) -> set[str]:
        """The expected differences that do not exist."""
        return list_expected(self.configuration).keys() - self.different.keys()


async def compare(name: str, directory: Path, chromium: str) -> Comparison:
    """Play the session on both servers, each in a workspace of its own, with the same shops.

    Args:
        name: The name of the configuration.
        directory: An empty directory for workspaces and profiles.
        chromium: The executable of the browser.
    """
    with serve_shop() as shop, serve_shop() as other_shop:

        async def run(server: ServerName) -> Outcomes:
            workspace = directory / server
            workspace.mkdir()
            configuration = prepare(
                name, workspace, shop=shop, other_shop=other_shop, port=_find_free_port()
            )
            home = directory / f"home-{server}"
            home.mkdir()
            return await _play_twice(server, configuration, chromium, home, (shop, other_shop))

        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(run(server)) for server in SERVERS]
    peer, ours = (task.result() for task in tasks)
    ours["tools"] &= peer["tools"]  # tools that only one has are no difference for its clients
    return Comparison(name, peer, ours)


async def _play_twice(
    server: ServerName,
    configuration: Configuration,
    chromium: str,
    home: Path,
    shops: tuple[str, str],
) -> Outcomes:
    async with connect(server, configuration, chromium, home) as player:
        outcomes = await play(player, *shops)
    async with connect(server, configuration, chromium, home) as player:
        return outcomes | await play_again(player, shops[0])


def _find_free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        port: int = found.getsockname()[1]
        return port
