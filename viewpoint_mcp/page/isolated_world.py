"""The isolated world of one document, where the `inpage` scripts run out of the page's reach."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any, cast

from cdp_protocol import ProtocolError, Session, SessionClosed
from viewpoint_mcp import inpage
from viewpoint_mcp.accessibility.refs import ElementNumbers

if TYPE_CHECKING:
    from cdp_protocol.types.dom_debugger import EventListener
    from cdp_protocol.types.runtime import (
        CallArgument,
        DeepSerializedValue,
        EvaluateResult,
        ExceptionDetails,
        RemoteObject,
    )

_CALL_FUNCTION = "function (name, ...args) { return this[name](...args); }"
WORLD_NAME = "viewpoint"
"""The name of the isolated worlds of this server."""
_PROBE_WORLD_NAME = "viewpoint-probe"
_BELONG_TO_DOCUMENT = """function (...nodes) {
  const { get } = Object.getOwnPropertyDescriptor(Node.prototype, "ownerDocument");
  return nodes.map((node) => node === document || get.call(node) === document);
}"""
DOWNLOAD_BINDING = "viewpointDownload"
"""The binding with which the `inpage` scripts report a click on a download link."""
_TIMEOUT = 5.0  # seconds; a page that takes longer to answer runs an endless script


async def add_bindings(session: Session) -> None:
    """Add the bindings with which the `inpage` scripts report events that CDP does not have.

    Only isolated worlds of this server get the bindings.

    Source: CDP `Runtime.addBinding`.
    """
    await session.Runtime.addBinding(name=DOWNLOAD_BINDING, executionContextName=WORLD_NAME)


class WorldGoneError(Exception):
    """The document was replaced or removed. The call had no lasting effect."""


class InpageScriptError(Exception):
    """An `inpage` script threw an exception. This is a bug of the server, never of the page."""


class IsolatedWorld:
    """The API object of `inpage` in one document of one frame.

    Args:
        session: CDP session of the process that renders the frame.
        context_id: CDP `Runtime.ExecutionContextId` of the world.
        api_object_id: `Runtime.RemoteObjectId` of the API object.
        document_object_id: `Runtime.RemoteObjectId` of the document in the page's main world, if
            known.
        frame_id: CDP `Page.FrameId`; "" for an API without elements.
        element_numbers: Assigns the numbers of the frame's elements; None for an API without
            elements.
    """

    def __init__(
        self,
        session: Session,
        context_id: int,
        api_object_id: str,
        document_object_id: str | None = None,
        frame_id: str = "",
        element_numbers: ElementNumbers | None = None,
    ) -> None:
        self._session = session
        self._frame_id = frame_id
        self._context_id = context_id
        self._group = f"{WORLD_NAME}-{context_id}"
        self._api_object_id = api_object_id
        self._document_object_id = document_object_id
        self._element_numbers = element_numbers
        self._is_document_left = False
        self._probe_context_id: int | None = None

    @classmethod
    async def create(
        cls,
        session: Session,
        frame_id: str,
        element_numbers: ElementNumbers,
        *,
        has_test_support: bool = False,
    ) -> IsolatedWorld:
        """Create the world in the frame's current document, and load the scripts if necessary.

        Args:
            has_test_support: Whether the API has the functions for tests.

        Raises:
            WorldGoneError: The frame navigated or was removed meanwhile.

        Source: CDP `Page.createIsolatedWorld`, `Runtime.evaluate`.
        """
        create = {"frameId": frame_id, "worldName": WORLD_NAME}
        try:
            made, document = await asyncio.gather(
                session.send("Page.createIsolatedWorld", create, timeout=_TIMEOUT),
                _find_main_world_document_object(session, frame_id),
            )
            context_id = made["executionContextId"]
            loaded = await _evaluate(session, inpage.API_VARIABLE, context_id)
            if "objectId" not in loaded["result"]:
                bundle = inpage.build_bundle(has_test_support=has_test_support)
                loaded = await _evaluate(session, bundle, context_id)
        except (ProtocolError, SessionClosed) as error:
            raise WorldGoneError(str(error)) from error
        if "exceptionDetails" in loaded:
            raise InpageScriptError(_exception_text(loaded["exceptionDetails"]))
        api = loaded["result"]["objectId"]
        return cls(session, context_id, api, document, frame_id, element_numbers)

    def mark_document_left(self) -> None:
        """Reject the results of `call` from now on, because the frame left the document."""
        self._is_document_left = True

    async def call(self, name: str, *args: object, timeout: float | None = None) -> Any:
        """Call a function of the API object and return its result as JSON data.

        If the function returns a promise, its value is the result.

        Args:
            name: The name of the function.
            args: The arguments, as JSON data.
            timeout: Seconds; None for the connection's default.

        Raises:
            WorldGoneError: The document was replaced before or during the call.

        Source: CDP `Runtime.callFunctionOn`.
        """
        arguments: list[CallArgument] = [{"value": arg} for arg in args]
        if self._element_numbers is None:
            result = await self._call_api(name, arguments, timeout, returnByValue=True)
            return result.get("value")
        arguments = [{"value": self._element_numbers.next_number}, {"value": name}, *arguments]
        result = await self._call_api("callNumbered", arguments, timeout, returnByValue=True)
        if self._is_document_left:
            # The next document may use the same numbers for its elements.
            raise WorldGoneError("the document was replaced during the call")
        answer = result["value"]
        self._element_numbers.mark_numbers_below_as_used(answer["next"])
        return answer.get("value")

    async def call_source(self, source: str, *args: object, timeout: float) -> Any:
        """Call a function by its source, without element numbers. Otherwise like `call`."""
        call = {"functionDeclaration": source, "executionContextId": self._context_id}
        arguments = [{"value": arg} for arg in args]
        result = await self._send_call(
            {**call, "arguments": arguments, "returnByValue": True}, timeout
        )
        return result.get("value")

    async def call_returning_nodes(
        self, name: str, object_ids: Iterable[str] = ()
    ) -> list[DeepSerializedValue]:
        """Call a function of the API object that takes nodes and returns an array of nodes.

        Args:
            name: The name of the function.
            object_ids: `Runtime.RemoteObjectId` of each node.

        Returns:
            Each node in the serialization of WebDriver BiDi, which includes closed shadow roots.

        Raises:
            WorldGoneError: The document was replaced before or during the call.

        Source: CDP `Runtime.SerializationOptions`.
        """
        shallow = {"includeShadowTree": "none", "maxNodeDepth": 0}
        result = await self._call_api(
            name,
            [{"objectId": each} for each in object_ids],
            objectGroup=self._group,
            serializationOptions={
                "serialization": "deep",
                "maxDepth": 1,
                "additionalParameters": shallow,
            },
        )
        nodes: list[DeepSerializedValue] = result["deepSerializedValue"]["value"]
        return nodes

    async def call_on_nodes(
        self, name: str, object_ids: Iterable[str], *, is_user_gesture: bool = False
    ) -> Any:
        """Call a function of the API object that takes nodes and returns JSON data.

        Args:
            name: The name of the function.
            object_ids: `Runtime.RemoteObjectId` of each node.
            is_user_gesture: Whether the call counts as a user gesture.

        Raises:
            WorldGoneError: The document was replaced before or during the call.
        """
        arguments: list[CallArgument] = [{"objectId": each} for each in object_ids]
        result = await self._call_api(
            name, arguments, returnByValue=True, userGesture=is_user_gesture
        )
        return result.get("value")

    async def get_document_event_listeners(self, *, timeout: float) -> list[EventListener]:
        """Return all event listeners in the document and its shadow roots, from all worlds.

        Args:
            timeout: Seconds.

        Raises:
            WorldGoneError: The document was replaced before or during the call.

        Source: CDP `DOMDebugger.getEventListeners`.
        """
        try:
            document = await self.get_main_world_document_object_id(timeout=timeout)
            params = {"objectId": document, "depth": -1, "pierce": True}
            answer = await self._session.send(
                "DOMDebugger.getEventListeners", params, timeout=timeout
            )
        except (ProtocolError, SessionClosed) as error:
            raise WorldGoneError(str(error)) from error
        found: list[EventListener] = answer["listeners"]
        return found

    async def get_main_world_document_object_id(self, *, timeout: float) -> str:
        """Return the document's `Runtime.RemoteObjectId` in the page's main world. It is cached.

        `get_document_event_listeners` needs this object. With the document object of another
        world and `pierce`, Chromium 156 crashes shortly afterwards.

        Args:
            timeout: Seconds.

        Raises:
            ProtocolError: The document was replaced before or during the call.

        Source: CDP `DOM.describeNode`, `DOM.resolveNode`.
        """
        if self._document_object_id is None:
            object_id = (await self._call_api("page", [], timeout))["objectId"]
            described = await self._session.DOM.describeNode(objectId=object_id)
            node_id = described["node"]["backendNodeId"]
            resolved = await self._session.DOM.resolveNode(backendNodeId=node_id)
            self._document_object_id = str(resolved["object"]["objectId"])
        return self._document_object_id

    async def get_element_object_id(self, number: int) -> str | None:
        """Return the `Runtime.RemoteObjectId` of a registered element; None if it is gone.

        Raises:
            WorldGoneError: The document was replaced before or during the call.
        """
        result = await self._call_api("element", [{"value": number}])
        object_id = result.get("objectId")
        return str(object_id) if object_id else None

    async def get_object_id_of_node(self, backend_node_id: int) -> str | None:
        """Return the `Runtime.RemoteObjectId` of a node in this world; None if the node is gone.

        The id is valid until `release_node_handles`.

        Args:
            backend_node_id: CDP `DOM.BackendNodeId`.

        Source: CDP `DOM.resolveNode`.
        """
        return await self._get_object_id_in_context(backend_node_id, self._context_id)

    async def filter_nodes_of_document(self, backend_node_ids: Sequence[int]) -> list[int]:
        """Return the nodes that belong to this document, not to the document of a child frame.

        The isolated worlds of all frames in a process share their JavaScript objects for nodes. An
        object has the prototypes of the frame in which it was first resolved. Resolving a node of a
        child frame in this world would therefore make `instanceof` false in the child's world. A
        separate world without other scripts resolves the nodes instead.

        Args:
            backend_node_ids: CDP `DOM.BackendNodeId` of each node.

        Raises:
            WorldGoneError: The document was replaced meanwhile.

        Source: CDP `Page.createIsolatedWorld`, `DOM.resolveNode`, `Runtime.callFunctionOn`.
        """
        try:
            if self._probe_context_id is None:
                made = await self._session.send(
                    "Page.createIsolatedWorld",
                    {"frameId": self._frame_id, "worldName": _PROBE_WORLD_NAME},
                    timeout=_TIMEOUT,
                )
                self._probe_context_id = made["executionContextId"]
            probe = self._probe_context_id
            object_ids = await asyncio.gather(
                *(self._get_object_id_in_context(each, probe) for each in backend_node_ids)
            )
            resolved_nodes = [
                pair for pair in zip(backend_node_ids, object_ids, strict=True) if pair[1]
            ]
            params = {
                "functionDeclaration": _BELONG_TO_DOCUMENT,
                "executionContextId": probe,
                "arguments": [{"objectId": object_id} for _, object_id in resolved_nodes],
                "returnByValue": True,
            }
            answer = await self._session.send("Runtime.callFunctionOn", params, timeout=_TIMEOUT)
        except (ProtocolError, SessionClosed) as error:
            raise WorldGoneError(str(error)) from error
        is_own_list = answer["result"]["value"]
        return [
            node for (node, _), is_own in zip(resolved_nodes, is_own_list, strict=True) if is_own
        ]

    async def _get_object_id_in_context(self, backend_node_id: int, context_id: int) -> str | None:
        try:
            resolved = await self._session.DOM.resolveNode(
                backendNodeId=backend_node_id,
                executionContextId=context_id,
                objectGroup=self._group,
            )
        except (ProtocolError, SessionClosed):
            return None
        # A node of another origin, such as one in a child frame, resolves to null in this world.
        object_id = resolved["object"].get("objectId")
        return str(object_id) if object_id else None

    async def release_node_handles(self) -> None:
        """Release the handles of nodes. A handle keeps its node alive in the page.

        Source: CDP `Runtime.releaseObjectGroup`.
        """
        with suppress(ProtocolError, SessionClosed):
            await self._session.Runtime.releaseObjectGroup(objectGroup=self._group)

    async def _call_api(
        self,
        name: str,
        arguments: list[CallArgument],
        timeout: float | None = None,
        **options: object,
    ) -> RemoteObject:
        params = {
            "functionDeclaration": _CALL_FUNCTION,
            "objectId": self._api_object_id,
            "arguments": [{"value": name}, *arguments],
            "awaitPromise": True,
            **options,
        }
        return await self._send_call(params, timeout)

    async def _send_call(self, params: dict[str, Any], timeout: float | None) -> RemoteObject:
        try:
            answer = await self._session.send("Runtime.callFunctionOn", params, timeout=timeout)
        except (ProtocolError, SessionClosed) as error:
            # The functions cause no protocol errors. So the context is gone, or the process of
            # an out-of-process frame.
            raise WorldGoneError(str(error)) from error
        if "exceptionDetails" in answer:
            raise InpageScriptError(_exception_text(answer["exceptionDetails"]))
        result: RemoteObject = answer["result"]
        return result


async def _evaluate(session: Session, expression: str, context_id: int) -> EvaluateResult:
    params = {"expression": expression, "contextId": context_id}
    return cast("EvaluateResult", await session.send("Runtime.evaluate", params, timeout=_TIMEOUT))


async def _find_main_world_document_object(session: Session, frame_id: str) -> str | None:
    """Return the document's `Runtime.RemoteObjectId` in the page's main world.

    Return None unless the frame is the root frame of its CDP session. For other frames
    `IsolatedWorld.get_main_world_document_object_id` makes three calls.
    """
    if session.target_info.get("targetId") != frame_id:
        return None
    # A page cannot redefine its `document`.
    answer = await session.send("Runtime.evaluate", {"expression": "document"}, timeout=_TIMEOUT)
    object_id = answer["result"].get("objectId")
    return str(object_id) if object_id else None


def _exception_text(details: ExceptionDetails) -> str:
    exception = details.get("exception", {})
    return exception.get("description") or details["text"]
