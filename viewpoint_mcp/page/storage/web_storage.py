"""localStorage or sessionStorage of a page's main frame, read and changed for the tools."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import Any, Literal, NamedTuple

from viewpoint_mcp.errors import CallError, PageError
from viewpoint_mcp.page.services import PageServices

AreaName = Literal["localStorage", "sessionStorage"]


class Item(NamedTuple):
    """One item of a storage area."""

    key: str
    value: str


class Change(NamedTuple):
    """The effect of a change.

    Attributes:
        origin: The origin whose storage was changed, such as "https://example.com".
        item_count: The number of items that were set or removed.
    """

    origin: str
    item_count: int


class WebStorage:
    """One storage area of the main frame's origin.

    Every method raises `PageError` if the document has no storage, or the page does not answer.

    Args:
        area: The area, by its name in scripts.
    """

    def __init__(self, services: PageServices, area: AreaName) -> None:
        self._services = services
        self._area = area

    async def list_items(self) -> list[Item]:
        """Return all items, in the order of the browser."""
        return [Item(*each) for each in (await self._call("list"))["value"]]

    async def get(self, key: str) -> str | None:
        """Return the value of a key; None if there is no such item."""
        value: str | None = (await self._call("get", key)).get("value")
        return value

    async def set(self, key: str, value: str) -> Change:
        """Set the value of a key.

        Raises:
            CallError: The value does not fit into the quota of the origin.
        """
        return Change((await self._call("set", key, value))["origin"], 1)

    async def remove(self, key: str) -> Change:
        """Remove the item of a key, if there is one."""
        answer = await self._call("remove", key)
        return Change(answer["origin"], int(answer["value"]))

    async def clear(self) -> Change:
        """Remove all items."""
        answer = await self._call("clear")
        return Change(answer["origin"], answer["value"])

    async def _call(self, action: str, *arguments: str) -> dict[str, Any]:
        """Call `accessStorage` in the isolated world of the main frame.

        Raises:
            CallError: The value does not fit.
            PageError: The document has no storage, or the page is blocked or does not answer.
        """
        main = self._services.frames.main
        answer: dict[str, Any] = await self._services.call_source(
            main, _read_function(), self._area, action, *arguments
        )
        fault = answer.get("fault")
        if fault == "QuotaExceededError":
            raise CallError(
                f'The value of "{arguments[0]}" does not fit into {self._area} of this origin. It '
                "has room for about 5 million characters.",
                "Delete other items first, or store less.",
            )
        if fault is not None:
            raise PageError(
                f"This page has no {self._area}. Only a page of a site has one, and not if it is "
                "sandboxed or site data is blocked.",
                "Use browser_navigate to open a page of the site.",
            )
        return answer


@cache
def _read_function() -> str:
    return files(__package__).joinpath("web_storage.js").read_text(encoding="utf-8")
