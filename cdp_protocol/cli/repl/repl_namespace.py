"""The variables of the prompt: the browser, a page, and functions to attach, explain and print."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import cdp_protocol
from cdp_protocol.cli import output
from cdp_protocol.cli.options import event_patterns, target_selection
from cdp_protocol.cli.options.json_paths import Condition
from cdp_protocol.cli.repl.event_printer import EventPrinter
from cdp_protocol.cli.run_command import Failure, print_note
from cdp_protocol.events import Event
from cdp_protocol.running_browser import target_ids_by_last_use
from cdp_protocol.session import Session

if TYPE_CHECKING:
    from cdp_protocol.browser import Browser
    from cdp_protocol.description import Description


class ReplNamespace:
    """Creates the variables of the prompt for a browser.

    Args:
        browser: The connected browser. The caller closes it.
        description: The protocol description of the browser.
        headers: HTTP headers of the requests that opened the connection.
    """

    def __init__(
        self, browser: Browser, description: Description, headers: Mapping[str, str]
    ) -> None:
        self._browser = browser
        self._headers = headers
        self._description = description
        self._page: Session | None = None

    async def attach_and_create_variables(self, target: str | None) -> dict[str, Any]:
        """Attach to a page, and return the variables of the prompt by name.

        Args:
            target: The target, as for `choose_target`; None for the page that was used last.
                Without any page, print a note and set the variable `page` to None.

        Raises:
            Failure: No target, or several targets, match.
        """
        targets = await target_selection.list_targets(self._browser)
        if target is not None:
            self._page = await self._browser.attach(target_selection.choose_target(targets, target))
        elif pages := [each for each in targets if each["type"] == "page"]:
            recent_ids = await target_ids_by_last_use(self._browser.endpoint, headers=self._headers)
            last_used_page = min(
                pages, key=lambda page: _rank_by_last_use(page["targetId"], recent_ids)
            )
            self._page = await self._browser.attach(last_used_page)
        else:
            print_note(
                "The browser has no page. Create one with browser.Target.createTarget(url=…), then"
                " attach to it."
            )
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
                target_selection.choose_target(
                    await target_selection.list_targets(self._browser), target
                )
            )
        return await self._browser.attach(target)

    def explain(self, member: object) -> None:
        """Print the documentation of a domain, command, event or type."""
        name = member if isinstance(member, str) else _member_name_and_session(member)[0]
        try:
            output.write_line(self._description.explain(name).rstrip())
        except LookupError as error:
            raise Failure(str(error)) from None

    def show(
        self, events: object, *conditions: str, session: Session | None = None
    ) -> EventPrinter:
        """Print events as they arrive, while the prompt stays usable.

        Examples: `show(page.Network)`, `show("Network.*Received", "response.status>=400")`.

        Args:
            events: An event, a domain or a pattern. Its domain is enabled.
            conditions: Conditions on the parameters, as in `cdp listen --where`.
            session: The session that receives the events if `events` is a text; None for `page`.

        Returns:
            The printer. Its `close()` stops it.
        """
        if isinstance(events, str):
            name, event_session = events, session or self._page or self._browser
        else:
            name, event_session = _member_name_and_session(events)
        names = event_patterns.select_events([name], self._description)
        return EventPrinter(
            event_session, names, [Condition.parse(each) for each in conditions], self._description
        )


def _rank_by_last_use(target_id: str, recent_ids: Sequence[str]) -> int:
    return recent_ids.index(target_id) if target_id in recent_ids else len(recent_ids)


def _member_name_and_session(member: object) -> tuple[str, Session]:
    """Return the name and the session of a domain, command or event.

    Read their private attributes, because every public attribute of a domain is a member of it.
    """
    name = member.name if isinstance(member, Event) else getattr(member, "_name", None)
    session = getattr(getattr(member, "_send", None), "__self__", None)
    if not isinstance(name, str) or not isinstance(session, Session):
        raise Failure(
            f"{member!r} is not a domain, command or event. Pass page.Network,"
            ' page.Network.responseReceived, or a text such as "Network.*Received".'
        )
    return name, session
