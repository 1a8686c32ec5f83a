"""The machine-readable description of the protocol: lookup, validation, help and comparison.

    description = Description.bundled()
    description.problems("Page.navigate", {"uri": "about:blank"})
    print(description.explain("Page.navigate"))

Reading the description takes about 10 ms, so other modules import this package only on use.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import orjson

from cdp_protocol.errors import CdpError, EndpointError

Json = dict[str, Any]

BUNDLED_FILE = Path(__file__).parent.parent / "protocol.json"


class Description:
    """The domains of one revision of the protocol, with their commands, events and types.

    Names of members contain their domain: "Page.navigate". The methods return members in the JSON
    form of the protocol; see https://chromium.googlesource.com/deps/inspector_protocol.

    Args:
        revision: The name of the revision: "Chrome/156.0.8078.79 (a21ce95c24ce)".
        domains: The domains in the form of `/json/protocol`.

    Attributes:
        revision: The name of the revision.
        domains: The domains by name.
    """

    def __init__(self, revision: str, domains: Iterable[Json]) -> None:
        self.revision = revision
        self.domains = {str(domain["domain"]): domain for domain in domains}
        self._commands = dict(self._named_members("commands"))
        self._events = dict(self._named_members("events"))
        self._types = dict(self._named_members("types"))

    @classmethod
    def bundled(cls) -> Description:
        """Read the description from which the types of this client were generated.

        Each call reads the file again. Keep the result if you need it more than once.
        """
        return cls.from_json(orjson.loads(BUNDLED_FILE.read_bytes()))

    @classmethod
    def from_json(cls, data: Mapping[str, Any], revision: str = "") -> Description:
        """Create a description from parsed JSON.

        Args:
            data: The content of the bundled file, the response of `/json/protocol`, or the
                content of a protocol file in Chromium's sources.
            revision: The name of the revision; "" for the one in the JSON.

        Raises:
            ValueError: The JSON is not a description of the protocol.
        """
        try:
            name = revision or data.get("revision") or _protocol_version(data)
            return cls(name, data["domains"])
        except (AttributeError, KeyError, TypeError) as error:
            raise ValueError(f"This is not a protocol description ({error!r}).") from error

    @classmethod
    async def served_by(
        cls, endpoint: str, headers: Mapping[str, str] | None = None, *, timeout: float = 10.0
    ) -> Description:
        """Read the description that a running browser serves (`/json/protocol`).

        Args:
            endpoint: A `ws(s)://` or `http(s)://` address, `host:port`, or a port.
            headers: HTTP headers of the requests.
            timeout: Limit in seconds for all requests together.

        Raises:
            EndpointError: No server answers at the endpoint in time, or it serves no description.
        """
        from cdp_protocol.description.live_protocol import fetch_description_and_revision

        data, revision = await fetch_description_and_revision(endpoint, headers or {}, timeout)
        try:
            return cls.from_json(data, revision)
        except ValueError as error:
            reason = "/json/protocol returned no protocol description"
            raise EndpointError(endpoint, reason) from error

    def commands(self) -> list[str]:
        """Return the names of all commands."""
        return list(self._commands)

    def events(self) -> list[str]:
        """Return the names of all events."""
        return list(self._events)

    def types(self) -> list[str]:
        """Return the names of all types."""
        return list(self._types)

    def command(self, name: str) -> Json | None:
        """Return a command in the JSON form of the protocol; None if the name is unknown."""
        return self._commands.get(name)

    def event(self, name: str) -> Json | None:
        """Return an event in the JSON form of the protocol; None if the name is unknown."""
        return self._events.get(name)

    def type(self, name: str) -> Json | None:
        """Return a type in the JSON form of the protocol; None if the name is unknown."""
        return self._types.get(name)

    def members(self, domain: str) -> list[str]:
        """Return the names of a domain's commands and events, without the domain prefix."""
        data = self.domains.get(domain, {})
        return [each["name"] for group in ("commands", "events") for each in data.get(group, ())]

    def problems(self, method: str, params: object = None) -> list[str]:
        """Return the mistakes in a command, one sentence each; an empty list if it has none.

        Args:
            method: The command: "Page.navigate".
            params: The parameters as on the wire: a JSON object, or None for none.
        """
        from cdp_protocol.description.validation import find_problems

        return find_problems(self, method, {} if params is None else params)

    def hint(self, error: CdpError) -> str:
        """Explain an error: suggest the right command, or name the wrong parameter.

        Args:
            error: An error that the client raised.

        Returns:
            Sentences to print after the error; "" if the description does not explain it.
        """
        from cdp_protocol.description.error_hints import explain_error

        return explain_error(self, error)

    def suggest(self, name: str, candidates: Iterable[str] | None = None) -> list[str]:
        """Return up to three existing names similar to a wrong name, the most likely first.

        Args:
            name: The wrong name: "Page.navigat", "navigate".
            candidates: The names to choose from; None for all commands, events, types and domains.
        """
        from cdp_protocol.description.name_suggestions import similar_names

        if candidates is None:
            candidates = [*self.domains, *self._commands, *self._events, *self._types]
        return similar_names(name, candidates)

    def explain(self, name: str) -> str:
        """Return the documentation of a command, event, type or domain as plain text.

        Raises:
            LookupError: The name is unknown. The message suggests similar names.
        """
        from cdp_protocol.description.help_text import make_help_text

        return make_help_text(self, name)

    def drift(self, other: Description) -> list[str]:
        """Return the differences of another description from this one, one line each.

        Documentation texts are not compared, because they do not affect any message.
        """
        from cdp_protocol.description.diff import compare_descriptions

        return compare_descriptions(self, other)

    def _named_members(self, group: str) -> Iterator[tuple[str, Json]]:
        for name, domain in self.domains.items():
            for member in domain.get(group, ()):
                yield f"{name}.{member.get('name') or member['id']}", member


def _protocol_version(data: Mapping[str, Any]) -> str:
    version = data.get("version") or {}
    return f"protocol {version.get('major', '?')}.{version.get('minor', '?')}"
