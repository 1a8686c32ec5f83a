"""Resources that an embedding program offers in addition to saved files."""

from __future__ import annotations

import inspect
import re
from collections.abc import Awaitable, Callable, Sequence
from weakref import WeakKeyDictionary

from msgspec import Struct

from viewpoint_mcp.caller import caller
from viewpoint_mcp.files.shelf import Shelf
from viewpoint_mcp.rpc.dispatcher import Conversation
from viewpoint_mcp.rpc.errors import INVALID_PARAMS, RpcError
from viewpoint_mcp.rpc.messages import JsonObject
from viewpoint_mcp.server import revisions
from viewpoint_mcp.server.client import Client
from viewpoint_mcp.server.content import embedded
from viewpoint_mcp.server.features import Offer
from viewpoint_mcp.server.resources import list_resources, list_templates, read_resource
from viewpoint_mcp.tools.core.result import Embedded

_VARIABLE = re.compile(r"\{(\w+)\}")

Content = str | bytes


class Resource(Struct, frozen=True):
    """A resource of an embedding program, or a template for many resources.

    Args:
        uri: The URI, or a template such as `notes://{day}`. Each variable matches one segment of
            the path, and is passed to `read` as a keyword argument.
        name: A short name.
        mime_type: The MIME type, such as "text/plain".
        read: Returns the current content as text or bytes. It may be a coroutine function.
        title: A title for people; None if the name is enough.
        description: A description for people and models; None for none.
    """

    uri: str
    name: str
    mime_type: str
    read: Callable[..., Content | Awaitable[Content]]
    title: str | None = None
    description: str | None = None

    @property
    def is_template(self) -> bool:
        """Whether `uri` is a template with variables."""
        return _VARIABLE.search(self.uri) is not None

    def variables(self, uri: str) -> dict[str, str] | None:
        """Match a URI, and return the values of the template's variables.

        Returns:
            The values by name, empty for a resource without variables; None if the URI does not
            match.
        """
        parts = _VARIABLE.split(self.uri)  # Texts and variable names alternate.
        pattern = "".join(
            f"(?P<{part}>[^/?#]+)" if index % 2 else re.escape(part)
            for index, part in enumerate(parts)
        )
        found = re.fullmatch(pattern, uri)
        return None if found is None else found.groupdict()

    def listing(self, version: str) -> JsonObject:
        """Return the entry in resources/list, or in resources/templates/list for a template.

        Args:
            version: The protocol version of the client.
        """
        listed: JsonObject = {
            "uriTemplate" if self.is_template else "uri": self.uri,
            "name": self.name,
            "title": self.title,
            "description": self.description,
            "mimeType": self.mime_type,
        }
        said = {name: value for name, value in listed.items() if value is not None}
        return revisions.fit("template" if self.is_template else "resource", said, version)


class OwnResources:
    """The resources of an embedding program, followed by the saved files.

    Args:
        resources: The resources and templates, in the order of the list. They are matched with a
            URI in this order.
        shelf: Lists and reads the saved files.
    """

    def __init__(self, resources: Sequence[Resource], shelf: Shelf) -> None:
        self._resources = resources
        self._shelf = shelf
        self._watched: WeakKeyDictionary[Conversation, set[str]] = WeakKeyDictionary()

    @property
    def legacy(self) -> Offer:
        return Offer(
            {"resources": {"subscribe": True, "listChanged": False}},
            {
                **self.modern.methods,
                "resources/subscribe": self._subscribe,
                "resources/unsubscribe": self._unsubscribe,
            },
        )

    @property
    def modern(self) -> Offer:
        return Offer(
            {},
            {
                "resources/list": self._list,
                "resources/read": self._read,
                "resources/templates/list": self._list_templates,
            },
        )

    def tell_updated(self, uri: str) -> None:
        """Notify the clients that subscribed to a resource that it has changed."""
        for conversation, watched in list(self._watched.items()):
            if uri in watched:
                conversation.notify("notifications/resources/updated", {"uri": uri})

    async def _list(self, params: JsonObject, version: str) -> JsonObject:
        saved = await list_resources(self._shelf, params, version)
        if params.get("cursor") is not None:
            return saved
        own = [each.listing(version) for each in self._resources if not each.is_template]
        return {**saved, "resources": [*own, *saved["resources"]]}

    async def _list_templates(self, params: JsonObject, version: str) -> JsonObject:
        saved = list_templates(params, version)
        own = [each.listing(version) for each in self._resources if each.is_template]
        return {**saved, "resourceTemplates": [*own, *saved["resourceTemplates"]]}

    async def _read(self, params: JsonObject, version: str) -> JsonObject:
        uri = params.get("uri")
        for each in self._resources if isinstance(uri, str) else ():
            if (variables := each.variables(str(uri))) is not None:
                read = each.read(**variables)
                content = await read if inspect.isawaitable(read) else read
                return {"contents": [embedded(Embedded(str(uri), each.mime_type, content))]}
        return await read_resource(self._shelf, params, version)

    async def _subscribe(self, params: JsonObject, _version: str) -> JsonObject:
        self._watched.setdefault(_conversation(), set()).add(_uri(params))
        return {}

    async def _unsubscribe(self, params: JsonObject, _version: str) -> JsonObject:
        self._watched.get(_conversation(), set()).discard(_uri(params))
        return {}


def _conversation() -> Conversation:
    client = caller()
    assert isinstance(client, Client)
    return client.conversation


def _uri(params: JsonObject) -> str:
    uri = params.get("uri")
    if not isinstance(uri, str):
        raise RpcError(INVALID_PARAMS, "A subscription needs the uri of a resource, a string.")
    return uri
