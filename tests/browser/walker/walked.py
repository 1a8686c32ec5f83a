"""A document, walked in its isolated world."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any, Self

import orjson

from cdp_protocol import Session
from cdp_protocol.types.page import LifecycleEventEvent
from viewpoint_mcp import inpage
from viewpoint_mcp.accessibility.printing.invisible_characters import remove_invisible
from viewpoint_mcp.accessibility.printing.snapshot_yaml import BLANK_SNAPSHOT, render_tree
from viewpoint_mcp.accessibility.tree import Node, decode_tree

CALL = "function (name, ...args) { return this[name](...args); }"


class Walked:
    """A tab. Each `load` is a new document with a new isolated world.

    Args:
        exposed: Inner functions of the scripts to call beside those of the API object.
    """

    def __init__(self, session: Session, frame_id: str, exposed: Sequence[str] = ()) -> None:
        self._source = inpage.build_bundle()
        if exposed:
            api = "return {\n"
            assert self._source.count(api) >= 1
            head, tail = self._source.rsplit(api, 1)
            self._source = f"{head}{api}{', '.join(exposed)},{tail}"
        self.session = session
        self._frame_id = frame_id
        self._api = ""
        self.left_out = 0  # invisible elements that the last walk did not print

    @classmethod
    async def start(cls, session: Session, exposed: Sequence[str] = ()) -> Self:
        frames = await session.Page.getFrameTree()
        await session.DOM.enable()
        await session.Page.enable()
        await session.Page.setLifecycleEventsEnabled(enabled=True)
        return cls(session, frames["frameTree"]["frame"]["id"], exposed)

    async def load(self, html: str) -> None:
        """Show a document, and load the scripts beside it."""
        await self.session.Page.setDocumentContent(frameId=self._frame_id, html=html)
        await self._load_scripts()

    async def open(self, url: str) -> None:
        """Show the page at an address once it has loaded, and load the scripts beside it."""
        page = self.session.Page
        # Not `Page.loadEventFired`: that of the document before can arrive late.
        async with self.session.events(page.lifecycleEvent, _is_load) as loads:
            answer = await page.navigate(url=url)
            assert "errorText" not in answer, answer
            async for load in loads:
                if load["loaderId"] == answer["loaderId"]:
                    break
        await self._load_scripts()

    async def _load_scripts(self) -> None:
        made = await self.session.Page.createIsolatedWorld(frameId=self._frame_id, worldName="test")
        world = made["executionContextId"]
        loaded = await self.session.Runtime.evaluate(expression=self._source, contextId=world)
        assert "exceptionDetails" not in loaded, loaded
        self._api = loaded["result"]["objectId"]

    async def run(self, script: str) -> None:
        """Run a script of the page itself."""
        answer = await self.session.Runtime.evaluate(expression=script, awaitPromise=True)
        assert "exceptionDetails" not in answer, answer

    async def call(self, name: str, *args: Any) -> Any:
        """Call a function of the API object."""
        return await self.apply(CALL, name, *args)

    async def apply(self, function: str, *args: Any) -> Any:
        """Call a function whose `this` is the API object."""
        answer = await self.session.Runtime.callFunctionOn(
            functionDeclaration=function,
            objectId=self._api,
            arguments=[{"value": each} for each in args],
            returnByValue=True,
            awaitPromise=True,
        )
        assert "exceptionDetails" not in answer, answer
        return answer["result"].get("value")

    async def walk(self, html: str | None = None, **options: object) -> list[Node]:
        if html is not None:
            await self.load(html)
        result = orjson.loads(await self.call("walk", options))
        self.left_out = result["leftOut"]
        return decode_tree(result["nodes"])

    async def snapshot(self, html: str | None = None, **options: object) -> list[str]:
        """Return the tree as lines: one for each element, and for each text that is not alone."""
        return list(_iterate_lines(await self.walk(html, **options))) or [BLANK_SNAPSHOT]


def _is_load(event: LifecycleEventEvent) -> bool:
    return event["name"] == "load"


def _iterate_lines(items: Sequence[Node | str], indent: str = "") -> Iterator[str]:
    for item in items:
        content = [] if isinstance(item, str) else [*item.children]
        if isinstance(item, Node) and (value := item.properties.get("value")):
            content.append(value)
        if isinstance(item, str) or (
            len(content) < 2 and all(isinstance(each, str) for each in content)
        ):
            yield indent + render_tree([item])
            continue
        properties = {key: item.properties[key] for key in item.properties if key != "value"}
        yield f"{indent}{render_tree([Node(item.role, item.name, properties, None, item.ref)])}:"
        yield from _iterate_lines(content, f"{indent}  ")


def spaced(text: str) -> str:
    """Return a text with white space as single spaces and without invisible characters, as
    printed.
    """
    return re.sub(r"\s+", " ", remove_invisible(text)).strip()
