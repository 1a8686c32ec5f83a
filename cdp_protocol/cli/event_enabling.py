"""The commands that a session needs before it sends its events."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from cdp_protocol.description import Description
    from cdp_protocol.session import Session

CommandList = tuple[tuple[str, dict[str, Any]], ...]

DomainsNotEnabled = list[str]
"""Names of domains without a command to enable them."""

# Commands that enable the events of a domain in place of a plain `enable`.
ENABLE_COMMANDS: dict[str, CommandList] = {
    "Target": (("Target.setDiscoverTargets", {"discover": True}),),
    "PerformanceTimeline": (
        (
            "PerformanceTimeline.enable",
            {"eventTypes": ["largest-contentful-paint", "layout-shift"]},
        ),
    ),
}

# Additional commands for single events.
EXTRA_COMMANDS: dict[str, CommandList] = {
    "Page.lifecycleEvent": (("Page.setLifecycleEventsEnabled", {"enabled": True}),),
}

# Other domains that must be enabled before a domain's `enable` succeeds.
REQUIRED_DOMAINS = {"CSS": ("DOM",), "Overlay": ("DOM",)}


async def enable_events(
    session: Session, events: Iterable[str], description: Description
) -> DomainsNotEnabled:
    """Enable events in a session.

    Args:
        session: The session to enable them in.
        events: The names of the events.
        description: The protocol description, which lists the available commands.

    Returns:
        The domains without a command to enable them. Another command must trigger their events.

    Raises:
        ProtocolError: The session does not have one of the domains.
    """
    events = list(events)
    not_enabled = []
    for selected in dict.fromkeys(event.partition(".")[0] for event in events):
        for domain in (*REQUIRED_DOMAINS.get(selected, ()), selected):
            commands = ENABLE_COMMANDS.get(domain, ((f"{domain}.enable", {}),))
            if description.command(commands[0][0]) is None:
                not_enabled.append(domain)
                continue
            for method, params in commands:
                await session.send(method, params)
    for event in events:
        for method, params in EXTRA_COMMANDS.get(event, ()):
            await session.send(method, params)
    return not_enabled
