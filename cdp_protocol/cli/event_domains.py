"""What a session must be told before it tells of its events."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from cdp_protocol.description import Description
    from cdp_protocol.session import Session

Commands = tuple[tuple[str, dict[str, Any]], ...]

# What a domain's events want where a bare `enable` is not it.
INSTEAD: dict[str, Commands] = {
    "Target": (("Target.setDiscoverTargets", {"discover": True}),),
    "PerformanceTimeline": (
        (
            "PerformanceTimeline.enable",
            {"eventTypes": ["largest-contentful-paint", "layout-shift"]},
        ),
    ),
}

# What single events want besides.
BESIDES: dict[str, Commands] = {
    "Page.lifecycleEvent": (("Page.setLifecycleEventsEnabled", {"enabled": True}),),
}

# What `enable` refuses to do before others are enabled.
NEEDS = {"CSS": ("DOM",), "Overlay": ("DOM",)}


async def enable(session: Session, events: Iterable[str], description: Description) -> list[str]:
    """Have a session tell of events.

    Args:
        events: Their names.

    Returns:
        The domains that cannot be enabled, so that something else must set their events off.

    Raises:
        ProtocolError: the session has no such domain.
    """
    events = list(events)
    silent = []
    for wanted in dict.fromkeys(event.partition(".")[0] for event in events):
        for domain in (*NEEDS.get(wanted, ()), wanted):
            commands = INSTEAD.get(domain, ((f"{domain}.enable", {}),))
            if description.command(commands[0][0]) is None:
                silent.append(domain)
                continue
            for method, params in commands:
                await session.send(method, params)
    for event in events:
        for method, params in BESIDES.get(event, ()):
            await session.send(method, params)
    return silent
