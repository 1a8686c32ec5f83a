"""A Chromium that the user started, and the user's actions in it."""

from __future__ import annotations

import asyncio
import json
import os
import urllib.request
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from cdp_protocol import Connection
from tests.e2e.support.processes import wait_until

FLAGS = ("--headless", "--no-sandbox")
ANY_PORT = "--remote-debugging-port=0"
Targets = list[dict[str, str]]

_CLICK_IN_ROW = """(title, action) => {
    const rows = [];
    const look = (root) => {
        for (const each of root.querySelectorAll("*")) {
            if (each.matches("tr")) rows.push(each);
            if (each.shadowRoot) look(each.shadowRoot);
        }
    };
    look(document);
    for (const row of rows.filter((each) => each.textContent.includes(title))) {
        for (const link of row.querySelectorAll("[is=action-link]")) {
            if (link.textContent.includes(action)) {
                link.click();
                return true;
            }
        }
    }
    return false;
}"""


@dataclass(frozen=True)
class UserBrowser:
    """A running Chromium that the user started.

    Attributes:
        url: The page in its first tab.
    """

    process: asyncio.subprocess.Process
    profile: Path
    port: int
    path: str
    url: str

    @property
    def websocket_url(self) -> str:
        return f"ws://127.0.0.1:{self.port}{self.path}"

    async def pages(self) -> Targets:
        """Return its tabs, as it lists them itself, the last used first."""

        def fetch() -> Targets:
            address = f"http://127.0.0.1:{self.port}/json/list"
            with urllib.request.urlopen(address, timeout=5) as response:
                return [each for each in json.load(response) if each["type"] == "page"]

        return await asyncio.to_thread(fetch)

    async def wait_for_tabs(self, condition: Callable[[Targets], bool]) -> None:
        """Wait until its tabs meet the condition."""
        while not condition(await self.pages()):  # noqa: ASYNC110 - no event
            await asyncio.sleep(0.05)

    @asynccontextmanager
    async def act_as_user(self) -> AsyncIterator[Connection]:
        """Return a connection for the actions of the user."""
        async with Connection.open(self.websocket_url, timeout=20) as connection:
            yield connection

    async def open_tabs(self, *urls: str) -> list[str]:
        """Open tabs, one after the other, and wait until they have their titles."""
        async with self.act_as_user() as connection:
            target = connection.root.Target
            ids = [(await target.createTarget(url=url))["targetId"] for url in urls]
        await self.wait_for_tabs(
            lambda tabs: {tab["id"] for tab in tabs if tab["title"] not in tab["url"]} >= set(ids)
        )
        return ids

    async def click_in_discards(self, title: str, action: str) -> None:
        """Click on chrome://discards, which does what the browser does by itself to save memory.

        Args:
            title: Title of the tab.
            action: A link in the tab's row there, such as "Urgent Discard".
        """
        async with self.act_as_user() as connection:
            target = connection.root.Target
            page = (await target.createTarget(url="chrome://discards"))["targetId"]
            session = await connection.root.attach(page)
            click = f"({_CLICK_IN_ROW})({json.dumps(title)}, {json.dumps(action)})"
            done = session.Runtime.evaluate
            while not (await done(expression=click))["result"].get("value"):  # noqa: ASYNC110
                await asyncio.sleep(0.05)
            await target.closeTarget(targetId=page)


@asynccontextmanager
async def run_browser(
    executable: str, profile: Path, url: str, *flags: str
) -> AsyncIterator[UserBrowser]:
    """Start a Chromium with one tab, and close it at the end.

    Args:
        profile: Its user data directory. Existing files stay.
        flags: Used in place of the flag for a free port.
    """
    process = await asyncio.create_subprocess_exec(
        *(executable, *FLAGS, *(flags or (ANY_PORT,)), f"--user-data-dir={profile}", url),
        stderr=asyncio.subprocess.DEVNULL,
        env={**os.environ, "HOME": str(profile.parent)},
    )
    try:
        file = profile / "DevToolsActivePort"
        await wait_until(lambda: file.exists() and "\n" in file.read_text())
        port, path = file.read_text().split("\n")[:2]
        yield UserBrowser(process, profile, int(port), path, url)
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()


def make_profile(profile: Path, **state: object) -> Path:
    """Make a profile whose browser starts with this state (Chromium's file `Local State`)."""
    profile.mkdir(parents=True)
    (profile / "Local State").write_text(json.dumps(state))
    return profile
