"""The measured clients, each written in as few lines as its users would write.

Every worker imports this module, in environments that have only some of the libraries. So each
library is imported by the client that uses it.
"""

from __future__ import annotations

import asyncio
import itertools
from abc import ABC, abstractmethod
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any
from urllib.parse import urlsplit

EXPRESSION = "1"


class Client(ABC):
    """A connection to one page, and a cheap command for it: evaluate `1`."""

    @abstractmethod
    async def open(self, browser: str, target: str) -> None:
        """Connect and attach.

        Args:
            browser: The WebSocket address of the browser.
            target: The id of a page.
        """

    @abstractmethod
    async def call(self) -> Any:
        """Call once; returns the answer as the client gives it."""

    async def play(self, count: int, at_once: int) -> None:
        """Call so many times, so many of them in flight."""

        async def lane(calls: int) -> None:
            for _ in range(calls):
                await self.call()

        await asyncio.gather(*(lane(count // at_once) for _ in range(at_once)))


class Bare(Client):
    """The least that a client on `websockets` and orjson can be: no timeouts, no refusals."""

    async def open(self, browser: str, target: str) -> None:
        from orjson import dumps, loads
        from websockets.asyncio.client import connect

        # Opened like cdp_protocol: the cost of the defaults, compression and pings, does not belong
        # to the loop.
        self.socket = await connect(
            browser, max_size=None, compression=None, ping_interval=None, proxy=None
        )
        self.dumps, self.loads, self.loop = dumps, loads, asyncio.get_running_loop()
        self.ids = itertools.count(1)
        self.futures: dict[int, asyncio.Future[dict[str, Any]]] = {}
        self.handlers: dict[str, Callable[[dict[str, Any]], object]] = {}
        self.reader = asyncio.create_task(self.read())
        self.session = await self.attach(target)

    async def attach(self, target: str) -> str:
        params = {"targetId": target, "flatten": True}
        return str((await self.send("Target.attachToTarget", params))["sessionId"])

    async def call(self) -> Any:
        return await self.send("Runtime.evaluate", {"expression": EXPRESSION}, self.session)

    async def send(
        self, method: str, params: dict[str, Any], session: str | None = None
    ) -> dict[str, Any]:
        number = next(self.ids)
        message = {"id": number, "method": method, "params": params}
        if session is not None:
            message["sessionId"] = session
        future: asyncio.Future[dict[str, Any]] = self.loop.create_future()
        self.futures[number] = future
        await self.socket.send(self.dumps(message), text=True)
        return await future

    async def read(self) -> None:
        while True:
            message = self.loads(await self.socket.recv(decode=False))
            if "id" in message:
                self.futures.pop(message["id"]).set_result(message["result"])
            elif message["method"] in self.handlers:
                self.handlers[message["method"]](message["params"])


class Ours(Client):
    """This product, by the names on the wire."""

    async def open(self, browser: str, target: str) -> None:
        import cdp_protocol

        self.browser = await cdp_protocol.connect(browser)
        self.page = await self.browser.attach(target)

    async def call(self) -> Any:
        return await self.page.send("Runtime.evaluate", {"expression": EXPRESSION})


class OursTyped(Ours):
    """This product, by its typed domains."""

    async def call(self) -> Any:
        return await self.page.Runtime.evaluate(expression=EXPRESSION)


class OursDirect(Client):
    """This product on a connection to the page alone, as those have it that know no sessions."""

    async def open(self, browser: str, target: str) -> None:
        import cdp_protocol

        self.page = await cdp_protocol.connect(page_address(browser, target))

    async def call(self) -> Any:
        return await self.page.send("Runtime.evaluate", {"expression": EXPRESSION})


class CdpUse(Client):
    """By its typed methods."""

    async def open(self, browser: str, target: str) -> None:
        from cdp_use.client import CDPClient

        self.client = CDPClient(browser)
        await self.client.start()
        attached = await self.client.send.Target.attachToTarget(
            params={"targetId": target, "flatten": True}
        )
        self.session = attached["sessionId"]

    async def call(self) -> Any:
        return await self.client.send.Runtime.evaluate(
            params={"expression": EXPRESSION}, session_id=self.session
        )


class Zendriver(Client):
    """Of pages it has a connection each."""

    async def open(self, browser: str, target: str) -> None:
        from zendriver import cdp
        from zendriver.core.connection import Connection

        self.evaluate = cdp.runtime.evaluate
        self.connection = Connection(page_address(browser, target))

    async def call(self) -> Any:
        return await self.connection.send(self.evaluate(EXPRESSION))


class Pydoll(Client):
    """Of pages it has a connection each."""

    async def open(self, browser: str, target: str) -> None:
        from pydoll.commands import RuntimeCommands
        from pydoll.connection.connection_handler import ConnectionHandler

        self.evaluate = RuntimeCommands.evaluate
        self.connection = ConnectionHandler(ws_address=page_address(browser, target))

    async def call(self) -> Any:
        return await self.connection.execute_command(self.evaluate(EXPRESSION))


class Pychrome(Client):
    """pychrome. It uses threads instead of an event loop: one for each call in flight."""

    async def open(self, browser: str, target: str) -> None:
        from pychrome.tab import Tab

        address = page_address(browser, target)
        self.tab = Tab(id=target, type="page", webSocketDebuggerUrl=address)
        self.tab.start()
        self.threads = ThreadPoolExecutor(100)

    async def call(self) -> Any:
        return self.tab.Runtime.evaluate(expression=EXPRESSION)

    async def play(self, count: int, at_once: int) -> None:
        def lane() -> None:
            for _ in range(count // at_once):
                self.tab.Runtime.evaluate(expression=EXPRESSION)

        loop = asyncio.get_running_loop()
        lanes = (loop.run_in_executor(self.threads, lane) for _ in range(at_once))
        await asyncio.gather(*lanes)


class Playwright(Client):
    """Playwright for Python. It sends commands to a Node process, which sends them to the
    browser.
    """

    async def open(self, browser: str, target: str) -> None:
        from playwright.async_api import async_playwright

        self.playwright = await async_playwright().start()
        connected = await self.playwright.chromium.connect_over_cdp(browser)
        context = connected.contexts[0]
        self.session = await context.new_cdp_session(context.pages[0])

    async def call(self) -> Any:
        return await self.session.send("Runtime.evaluate", {"expression": EXPRESSION})


def page_address(browser: str, target: str) -> str:
    """The WebSocket address of a page."""
    return f"ws://{urlsplit(browser).netloc}/devtools/page/{target}"


BARE, OURS, TYPED, DIRECT = "bare loop", "ours", "ours, typed", "ours, the page's socket"
CDP_USE = "cdp-use"
OWN: dict[str, type[Client]] = {BARE: Bare, OURS: Ours, TYPED: OursTyped, DIRECT: OursDirect}
PEERS: dict[str, type[Client]] = {
    CDP_USE: CdpUse,
    "zendriver": Zendriver,
    "pydoll": Pydoll,
    "pychrome": Pychrome,
    "playwright": Playwright,
}
# They connect to the page's own socket, so the browser does not route to a session.
DIRECT_PEERS = frozenset({"zendriver", "pydoll", "pychrome"})
# They need more features of a browser than the fake one has.
REAL_ONLY = frozenset({"playwright"})
