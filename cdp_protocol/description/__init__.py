"""What a browser can be told, and what it tells: the description of its protocol, made useful.

    description = Description.bundled()
    description.problems("Page.navigate", {"uri": "about:blank"})
    print(description.explain("Page.navigate"))

Imported by no other part until it is asked something: reading the description takes some 10 ms.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import orjson

from cdp_protocol.errors import CdpError, EndpointError

Json = dict[str, Any]

BUNDLED = Path(__file__).parent.parent / "protocol.json"


class Description:
    """The domains of one revision of the protocol, with their commands, events and types.

    Members are what the protocol calls them, "Page.navigate", and are told as it has them: see
    https://chromium.googlesource.com/deps/inspector_protocol for the form.

    Args:
        revision: What is described: "Chrome/156.0.8078.79 (a21ce95c24ce)".
        domains: As in `/json/protocol`.
    """

    def __init__(self, revision: str, domains: Iterable[Json]) -> None:
        self.revision = revision
        self.domains = {str(domain["domain"]): domain for domain in domains}
        self._commands = dict(self._members("commands"))
        self._events = dict(self._members("events"))
        self._types = dict(self._members("types"))

    @classmethod
    def bundled(cls) -> Description:
        """Read the description that this client's types were made from.

        It is read anew each time: whoever has more than one question keeps it.
        """
        return cls.of(orjson.loads(BUNDLED.read_bytes()))

    @classmethod
    def of(cls, described: Mapping[str, Any], revision: str = "") -> Description:
        """Take a description from JSON: ours, `/json/protocol`, or a file of Chromium's sources.

        Args:
            described: What was parsed.
            revision: What it describes, where it does not say so.

        Raises:
            ValueError: it is no description of the protocol.
        """
        try:
            found = revision or described.get("revision") or _version(described)
            return cls(found, described["domains"])
        except (AttributeError, KeyError, TypeError) as error:
            raise ValueError(f"This is no description of the protocol ({error!r}).") from error

    @classmethod
    async def served_by(
        cls, endpoint: str, headers: Mapping[str, str] | None = None, *, timeout: float = 10.0
    ) -> Description:
        """Read the description that a running browser serves (`/json/protocol`).

        Args:
            endpoint: `ws(s)://`, `http(s)://`, `host:port`, or a port.
            headers: Sent with the requests.
            timeout: Seconds for all of it.

        Raises:
            EndpointError: nobody answers there, or what answers serves no description.
        """
        from cdp_protocol.description.live_protocol import served

        described, revision = await served(endpoint, headers or {}, timeout)
        try:
            return cls.of(described, revision)
        except ValueError as error:
            reason = "/json/protocol answered with no description of the protocol"
            raise EndpointError(endpoint, reason) from error

    def commands(self) -> list[str]:
        """The names of all commands."""
        return list(self._commands)

    def events(self) -> list[str]:
        """The names of all events."""
        return list(self._events)

    def types(self) -> list[str]:
        """The names of all types."""
        return list(self._types)

    def command(self, name: str) -> Json | None:
        """One command as the protocol describes it; None if there is none of that name."""
        return self._commands.get(name)

    def event(self, name: str) -> Json | None:
        """One event, as `command`."""
        return self._events.get(name)

    def type(self, name: str) -> Json | None:
        """One type, as `command`."""
        return self._types.get(name)

    def members(self, domain: str) -> list[str]:
        """The names of a domain's commands and events, without the domain's."""
        described = self.domains.get(domain, {})
        return [
            each["name"] for group in ("commands", "events") for each in described.get(group, ())
        ]

    def problems(self, method: str, params: object = None) -> list[str]:
        """What is wrong with a command, a sentence each; nothing where the browser will take it.

        Args:
            method: "Page.navigate".
            params: As on the wire: an object of JSON, or None for none.
        """
        from cdp_protocol.description.validation import problems

        return problems(self, method, {} if params is None else params)

    def hint(self, error: CdpError) -> str:
        """Explain an error of the client: which command was meant, which parameter is wrong.

        Args:
            error: As it was raised.

        Returns:
            Sentences to print after the error; "" if the description does not explain it.
        """
        from cdp_protocol.description.hints import hint

        return hint(self, error)

    def suggest(self, name: str, among: Iterable[str] | None = None) -> list[str]:
        """What may be meant by a name that there is not, the likeliest first; three at most.

        Args:
            name: As it was written: "Page.navigat", "navigate".
            among: What it may be; None for any command, event, type or domain.
        """
        from cdp_protocol.description.names import nearest

        if among is None:
            among = [*self.domains, *self._commands, *self._events, *self._types]
        return nearest(name, among)

    def explain(self, name: str) -> str:
        """Tell in plain text what the protocol says of a command, event, type or domain.

        Raises:
            LookupError: there is nothing of that name; the message says what may be meant.
        """
        from cdp_protocol.description.help_text import explain

        return explain(self, name)

    def drift(self, other: Description) -> list[str]:
        """What another description has more, less or differently, a line each.

        Wording is not compared, for it changes nothing that is sent.
        """
        from cdp_protocol.description.diff import drift

        return drift(self, other)

    def _members(self, group: str) -> Iterator[tuple[str, Json]]:
        for name, domain in self.domains.items():
            for member in domain.get(group, ()):
                yield f"{name}.{member.get('name') or member['id']}", member


def _version(described: Mapping[str, Any]) -> str:
    version = described.get("version") or {}
    return f"protocol {version.get('major', '?')}.{version.get('minor', '?')}"
