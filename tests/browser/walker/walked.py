"""A document, walked in its isolated world, and what Chrome's own accessibility tree says of it."""

from __future__ import annotations

import re
from typing import Any, Self

import orjson

from cdp_protocol import Session
from viewpoint_mcp import inpage
from viewpoint_mcp.accessibility.render import render
from viewpoint_mcp.accessibility.tree import Node, decode

CALL = "function (name, ...args) { return this[name](...args); }"


class Walked:
    """One tab; each `load` is a new document with a new world."""

    def __init__(self, session: Session, frame_id: str) -> None:
        self.session = session
        self._frame_id = frame_id
        self._api = ""

    @classmethod
    async def start(cls, session: Session) -> Self:
        frames = await session.Page.getFrameTree()
        await session.DOM.enable()
        return cls(session, frames["frameTree"]["frame"]["id"])

    async def load(self, html: str) -> None:
        """Show a document, and load the scripts beside it."""
        await self.session.Page.enable()
        await self.session.Page.setDocumentContent(frameId=self._frame_id, html=html)
        made = await self.session.Page.createIsolatedWorld(frameId=self._frame_id, worldName="test")
        world = made["executionContextId"]
        loaded = await self.session.Runtime.evaluate(expression=inpage.source(), contextId=world)
        self._api = loaded["result"]["objectId"]

    async def run(self, script: str) -> None:
        """Run a script of the page itself."""
        answer = await self.session.Runtime.evaluate(expression=script, awaitPromise=True)
        assert "exceptionDetails" not in answer, answer

    async def call(self, name: str, *args: Any, by_value: bool = True) -> Any:
        answer = await self.session.Runtime.callFunctionOn(
            functionDeclaration=CALL,
            objectId=self._api,
            arguments=[{"value": each} for each in (name, *args)],
            returnByValue=by_value,
            awaitPromise=True,
        )
        assert "exceptionDetails" not in answer, answer
        result = answer["result"]
        return result.get("value") if by_value else result.get("objectId")

    async def walk(self, html: str | None = None, **options: object) -> list[Node]:
        if html is not None:
            await self.load(html)
        return decode(orjson.loads(await self.call("walk", {"first": 1, **options}))["nodes"])

    async def snapshot(self, html: str | None = None, **options: object) -> list[str]:
        """The lines that are printed."""
        return render(await self.walk(html, **options)).split("\n")

    async def backend_node(self, number: int) -> dict[str, Any]:
        object_id = await self.call("element", number, by_value=False)
        described = await self.session.DOM.describeNode(objectId=object_id)
        return dict(described["node"])

    async def chromes_tree(self) -> dict[int, tuple[str, str]]:
        """Role and name by backend node id; the role is "" where Chrome leaves the element out."""
        answer = await self.session.Accessibility.getFullAXTree()
        told = [
            each for each in answer["nodes"] if each.get("role", {}).get("value") != "InlineTextBox"
        ]
        return {
            each["backendDOMNodeId"]: (
                "" if each["ignored"] else str(each["role"]["value"]),
                spaced(str(each.get("name", {}).get("value", ""))),
            )
            for each in told
            if "backendDOMNodeId" in each
        }

    async def browser_made(self) -> set[int]:
        """Backend node ids of what Chrome builds controls of: the picker of a date field, say."""
        found: set[int] = set()
        pending = [((await self.session.DOM.getDocument(depth=-1, pierce=True))["root"], False)]
        while pending:
            node, is_inner = pending.pop()
            if is_inner:
                found.add(node["backendNodeId"])
            pending.extend((child, is_inner) for child in node.get("children", []))
            for root in node.get("shadowRoots", []):
                pending.append((root, is_inner or root["shadowRootType"] == "user-agent"))
        return found


def numbered(nodes: list[Node]) -> list[int]:
    """The numbers of all elements in the tree that have one."""
    found, pending = [], list(nodes)
    while pending:
        node = pending.pop()
        if "ref" in node.properties:
            found.append(int(node.properties["ref"]))
        pending.extend(child for child in node.children if isinstance(child, Node))
    return found


def spaced(text: str) -> str:
    """White space as single spaces, as the walker prints it."""
    return re.sub(r"[\s\u200b]+", " ", text).strip()
