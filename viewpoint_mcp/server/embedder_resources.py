"""Resources that an embedding program offers in addition to saved files."""

from __future__ import annotations

import inspect
import re
from collections.abc import Awaitable, Callable, Sequence
from weakref import WeakKeyDictionary

from msgspec import Struct

from viewpoint_mcp.caller import caller
from viewpoint_mcp.files.saved_file_lookup import SavedFiles
from viewpoint_mcp.rpc.dispatcher import Conversation
from viewpoint_mcp.rpc.errors import INVALID_PARAMS, RpcError
from viewpoint_mcp.rpc.messages import JsonObject
from viewpoint_mcp.server import fields_by_protocol_version
from viewpoint_mcp.server.client import Client
from viewpoint_mcp.server.content_blocks import resource_contents
from viewpoint_mcp.server.optional_features import CapabilitiesAndMethods
from viewpoint_mcp.server.saved_file_resources import list_resources, list_templates, read_resource
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

    def match_uri(self, uri: str) -> dict[str, str] | None:
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

    def make_list_entry(self, version: str) -> JsonObject:
        """Return the entry in resources/list, or in resources/templates/list for a template.

        Args:
            version: The protocol version of the client.
        """
        fields: JsonObject = {
            "uriTemplate" if self.is_template else "uri": self.uri,
            "name": self.name,
            "title": self.title,
            "description": self.description,
            "mimeType": self.mime_type,
        }
        present = {name: value for name, value in fields.items() if value is not None}
        return fields_by_protocol_version.remove_newer_fields(
            "template" if self.is_template else "resource", present, version
        )


class EmbedderResources:
    """The resources of an embedding program, followed by the saved files.

    Args:
        resources: The resources and templates, in the order of the list. They are matched with a
            URI in this order.
        saved_files: Lists and reads the saved files.
    """

    def __init__(self, resources: Sequence[Resource], saved_files: SavedFiles) -> None:
        self._resources = resources
        self._saved_files = saved_files
        self._subscriptions: WeakKeyDictionary[Conversation, set[str]] = WeakKeyDictionary()

    @property
    def support_in_session_protocol(self) -> CapabilitiesAndMethods:
        return CapabilitiesAndMethods(
            {"resources": {"subscribe": True, "listChanged": False}},
            {
                **self.support_in_sessionless_protocol.methods,
                "resources/subscribe": self._subscribe,
                "resources/unsubscribe": self._unsubscribe,
            },
        )

    @property
    def support_in_sessionless_protocol(self) -> CapabilitiesAndMethods:
        return CapabilitiesAndMethods(
            {},
            {
                "resources/list": self._list_embedder_and_saved_resources,
                "resources/read": self._read_embedder_or_saved_resource,
                "resources/templates/list": self._list_embedder_and_saved_templates,
            },
        )

    def notify_updated(self, uri: str) -> None:
        """Notify the clients that subscribed to a resource that it has changed."""
        for conversation, uris in list(self._subscriptions.items()):
            if uri in uris:
                conversation.send_notification("notifications/resources/updated", {"uri": uri})

    async def _list_embedder_and_saved_resources(
        self, params: JsonObject, version: str
    ) -> JsonObject:
        saved = await list_resources(self._saved_files, params, version)
        if params.get("cursor") is not None:
            return saved
        custom = [each.make_list_entry(version) for each in self._resources if not each.is_template]
        return {**saved, "resources": [*custom, *saved["resources"]]}

    async def _list_embedder_and_saved_templates(
        self, params: JsonObject, version: str
    ) -> JsonObject:
        saved = list_templates(params, version)
        custom = [each.make_list_entry(version) for each in self._resources if each.is_template]
        return {**saved, "resourceTemplates": [*custom, *saved["resourceTemplates"]]}

    async def _read_embedder_or_saved_resource(
        self, params: JsonObject, version: str
    ) -> JsonObject:
        uri = params.get("uri")
        for each in self._resources if isinstance(uri, str) else ():
            if (variables := each.match_uri(str(uri))) is not None:
                result = each.read(**variables)
                content = await result if inspect.isawaitable(result) else result
                return {
                    "contents": [resource_contents(Embedded(str(uri), each.mime_type, content))]
                }
        return await read_resource(self._saved_files, params, version)

    async def _subscribe(self, params: JsonObject, _version: str) -> JsonObject:
        self._subscriptions.setdefault(_get_conversation(), set()).add(
            _read_subscription_uri(params)
        )
        return {}

    async def _unsubscribe(self, params: JsonObject, _version: str) -> JsonObject:
        self._subscriptions.get(_get_conversation(), set()).discard(_read_subscription_uri(params))
        return {}


def _get_conversation() -> Conversation:
    client = caller()
    assert isinstance(client, Client)
    return client.conversation


def _read_subscription_uri(params: JsonObject) -> str:
    uri = params.get("uri")
    if not isinstance(uri, str):
        raise RpcError(INVALID_PARAMS, "A subscription needs the uri of a resource, a string.")
    return uri
