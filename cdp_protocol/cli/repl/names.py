"""What there is at the prompt: the browser, a page, and what looks at them."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import cdp_protocol
from cdp_protocol.attach import target_ids_by_last_use
from cdp_protocol.cli import output
from cdp_protocol.cli.options import event_patterns, target_choice
from cdp_protocol.cli.options.json_paths import Condition
from cdp_protocol.cli.repl.showing import Shown
from cdp_protocol.cli.run_command import Failure, note
from cdp_protocol.events import Event
from cdp_protocol.session import Session

if TYPE_CHECKING:
    from cdp_protocol.browser import Browser
    from cdp_protocol.description import Description


class Names:
    """Makes the names for a browser.

    Args:
        browser: Connected to, and closed by whoever did.
        description: Of its protocol.
        headers: That it was connected to with.
    """

    def __init__(
        self, browser: Browser, description: Description, headers: Mapping[str, str]
    ) -> None:
        self._browser = browser
        self._headers = headers
        self._description = description
        self._page: Session | None = None

    async def all(self, target: str | None) -> dict[str, Any]:
        """Attach to a page, and return the variables of the prompt by name.

        Args:
            target: The target, as for `target_choice.choose`; None for the page that was used last.
                Without any page, print a note and set the variable `page` to None.

        Raises:
            Failure: No target, or several targets, match.
        """
        targets = await target_choice.targets_of(self._browser)
        if target is not None:
            self._page = await self._browser.attach(target_choice.choose(targets, target))
        elif pages := [each for each in targets if each["type"] == "page"]:
            used = await target_ids_by_last_use(self._browser.endpoint, headers=self._headers)
            last = min(pages, key=lambda page: _place(page["targetId"], used))
            self._page = await self._browser.attach(last)
        else:
            note("There is no page yet; browser.Target.createTarget(url=…) makes one, for attach.")
        return {
            "__name__": "__console__",
            "__doc__": None,
            "asyncio": asyncio,
            "cdp_protocol": cdp_protocol,
            "browser": self._browser,
            "page": self._page,
            "attach": self.attach,
            "explain": self.explain,
            "show": self.show,
        }

    async def attach(self, target: str | dict[str, Any]) -> Session:
        """Attach to another target, as in `page = await attach("example.org")`.

        Args:
            target: The number in `cdp targets`, the id, or a part of the URL or title; or a mapping
                with the key "targetId".
        """
        if isinstance(target, str):
            target = dict(
                target_choice.choose(await target_choice.targets_of(self._browser), target)
            )
        return await self._browser.attach(target)

    def explain(self, what: object) -> None:
        """Print what the protocol says of a domain, command, event or type."""
        name = what if isinstance(what, str) else _origin(what)[0]
        try:
            output.write(self._description.explain(name).rstrip())
        except LookupError as error:
            raise Failure(str(error)) from None

    def show(self, what: object, *conditions: str, session: Session | None = None) -> Shown:
        """Print events as they come: `show(page.Network)`, or only some of them:
        `show("Network.*Received", "response.status>=400")`.

        Args:
            what: An event, a domain, or a pattern; its domain is enabled.
            conditions: As those of `cdp listen --where`.
            session: Who tells of them, if `what` is a text; None for `page`.

        Returns:
            What `close()` ends.
        """
        if isinstance(what, str):
            name, teller = what, session or self._page or self._browser
        else:
            name, teller = _origin(what)
        events = event_patterns.events([name], self._description)
        return Shown(
            teller, events, [Condition.parse(each) for each in conditions], self._description
        )


def _place(target_id: str, used: Sequence[str]) -> int:
    return used.index(target_id) if target_id in used else len(used)


def _origin(of: object) -> tuple[str, Session]:
    """What a domain, command or event is called, and whose it is.

    They have no public way to be asked: every attribute of a domain is a member of it.
    """
    name = of.name if isinstance(of, Event) else getattr(of, "_name", None)
    session = getattr(getattr(of, "_send", None), "__self__", None)
    if not isinstance(name, str) or not isinstance(session, Session):
        raise Failure(
            f"{of!r} is nothing of the protocol. Give page.Network, page.Network.responseReceived,"
            ' or a text such as "Network.*Received".'
        )
    return name, session
