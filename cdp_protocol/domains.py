"""Domains as attributes: `session.Page.navigate(url=...)` sends the command "Page.navigate".

Attribute paths become wire names at run time, without a list of known names. Type checkers and
editors read the generated `domains.pyi` instead.
"""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from typing import Any

from cdp_protocol.events import Event

Send = Callable[[str, dict[str, Any]], Coroutine[Any, Any, dict[str, Any]]]


class Member(Event[Any]):
    """A command or an event of a domain: call it to send the command, subscribe to get the event.

    At run time nothing distinguishes the two.
    """

    __slots__ = ("_send",)

    def __init__(self, name: str, send: Send) -> None:
        super().__init__(name)
        self._send = send

    def __call__(
        self, *positional: object, **arguments: object
    ) -> Coroutine[Any, Any, dict[str, Any]]:
        if positional:
            from cdp_protocol.description.error_hints import keyword_call_hint

            raise TypeError(keyword_call_hint(self.name))
        params = {key: value for key, value in arguments.items() if value is not None}
        return self._send(self.name, params)


class Domain:
    """One domain of the protocol. Its attributes are the commands and events."""

    def __init__(self, name: str, send: Send) -> None:
        self._name = name
        self._send = send

    def __repr__(self) -> str:
        return f"<{self._name}>"

    def __dir__(self) -> list[str]:
        from cdp_protocol.description import Description

        return [*super().__dir__(), *Description.bundled().members(self._name)]

    def __getattr__(self, name: str) -> Member:
        if name.startswith("_"):
            raise AttributeError(name)
        member = Member(f"{self._name}.{name}", self._send)
        setattr(self, name, member)  # The next lookup does not call __getattr__.
        return member


class Domains:
    """The base class of `Session`, with every domain as an attribute. `Session` defines `send`."""

    send: Send

    def __dir__(self) -> list[str]:
        from cdp_protocol.description import Description

        return [*super().__dir__(), *Description.bundled().domains]

    def __getattr__(self, name: str) -> Domain:
        if not name[:1].isupper():
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
        domain = Domain(name, self.send)
        setattr(self, name, domain)
        return domain
