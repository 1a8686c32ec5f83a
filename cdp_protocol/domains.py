"""`session.Page.navigate(url=...)`: turns attribute paths into wire names, at run time.

Type checkers and editors read the generated `domains.pyi` instead.
"""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from typing import Any

from cdp_protocol.events import Event

Send = Callable[[str, dict[str, Any]], Coroutine[Any, Any, dict[str, Any]]]


class Member(Event[Any]):
    """A command when called, an event when subscribed to: at run time nothing tells them apart."""

    __slots__ = ("_send",)

    def __init__(self, name: str, send: Send) -> None:
        super().__init__(name)
        self._send = send

    def __call__(
        self, *unnamed: object, **arguments: object
    ) -> Coroutine[Any, Any, dict[str, Any]]:
        if unnamed:
            from cdp_protocol.description.hints import keywords_only

            raise TypeError(keywords_only(self.name))
        params = {key: value for key, value in arguments.items() if value is not None}
        return self._send(self.name, params)


class Domain:
    """One domain of the protocol; its attributes are the commands and events."""

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
        setattr(self, name, member)  # found without __getattr__ from now on
        return member


class Domains:
    """Carries every domain as an attribute; the base of `Session`, which does the sending."""

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
