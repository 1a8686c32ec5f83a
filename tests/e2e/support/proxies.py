"""Real proxies on loopback, each in a separate process, and the connections through them."""

from __future__ import annotations

import asyncio
import re
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

_PASSED = re.compile(r"^\w+ \S+ -> (?P<host>\S+):(?P<port>\d+)$")


class RunningProxy:
    """A running proxy.

    Args:
        scheme: As in its URL.
        port: On 127.0.0.1.
        log: The file with its output.
    """

    def __init__(self, scheme: str, port: int, log: Path) -> None:
        self.address = f"127.0.0.1:{port}"
        self.server = f"{scheme}://{self.address}"
        self._log = log

    @property
    def lines(self) -> list[str]:
        """The lines that it printed about its connections so far."""
        return self._log.read_text().splitlines()[1:]

    @property
    def hosts(self) -> list[str]:
        """The hosts of the connections, as the clients named them, oldest first."""
        return [found["host"] for line in self.lines if (found := _PASSED.match(line))]

    @property
    def refusals(self) -> int:
        """The number of connections with missing or wrong credentials."""
        return sum("Unauthorized" in line for line in self.lines)


@asynccontextmanager
async def running_proxy(
    directory: Path, scheme: str, credentials: str = "", certificate: Path | None = None
) -> AsyncIterator[RunningProxy]:
    """Run a proxy.

    Args:
        scheme: http, https or socks5.
        credentials: The `user:password` that it requires.
        certificate: For https: file with a certificate and its key.
    """
    log = directory / "proxy-log.txt"
    kind = "http" if scheme == "https" else scheme
    with log.open("wb") as sink:
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            *("-m", "tests.e2e.support.proxy_server", kind, credentials),
            *([str(certificate)] if certificate else []),
            stdout=sink,
        )
    try:
        while not (port := log.read_text().partition("\n")[0]):
            assert process.returncode is None, "The proxy did not start."
            await asyncio.sleep(0.02)
        yield RunningProxy(scheme, int(port), log)
    finally:
        process.kill()
        await process.wait()
