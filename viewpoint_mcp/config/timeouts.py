"""How long the server waits, and the flags of that."""

from typing import Annotated

from msgspec import Struct

from viewpoint_mcp.config.flag import Flag, Heading

_NO_LIMIT = 86_400.0  # a day


def parse_limit(seconds: float) -> float:
    """Return a time limit; 0 is none."""
    return seconds or _NO_LIMIT


class Timeouts(Struct, frozen=True):
    """How long each kind of waiting may last, in seconds.

    Args:
        script: Of the agent's own, promises included; `evaluate` uses at most 22.
        answer: Without any answer from the browser, until it is considered hung.
        idle: Without a call, until the browser is closed; 0 for ever, None for what suits it.
    """

    action: Annotated[
        float,
        Flag(
            "--timeout-action",
            Heading.WAITING,
            "Milliseconds for an act; 0 for no limit.",
            parse=parse_limit,
            minimum=0,
            scale=1000,
            keys=("timeouts.action",),
        ),
    ] = 5.0
    navigation: Annotated[
        float,
        Flag(
            "--timeout-navigation",
            Heading.WAITING,
            "Milliseconds for a page to load; 0 for no limit.",
            parse=parse_limit,
            minimum=0,
            scale=1000,
            keys=("timeouts.navigation",),
        ),
    ] = 60.0
    settle: Annotated[
        float,
        Flag(
            "--timeout-settle",
            Heading.WAITING,
            "Most milliseconds to wait for the first effect of script that ran.",
            minimum=0,
            scale=1000,
            keys=("timeouts.settle",),
        ),
    ] = 0.5
    launch: float = 30.0
    attach: Annotated[
        float,
        Flag(
            "--cdp-timeout",
            Heading.BROWSER,
            "Milliseconds to attach; 0 for no limit.",
            default="30000; 60000 with --auto-connect",
            parse=parse_limit,
            minimum=0,
            scale=1000,
            keys=("browser.cdpTimeout",),
            after="--cdp-header",
        ),
    ] = 30.0
    script: float = 22.0
    answer: float = 10.0  # long enough for a busy machine
    idle: Annotated[
        float | None,
        Flag(
            "--idle-timeout",
            Heading.WAITING,
            "Milliseconds without a call until the browser is closed, which the next call starts "
            "again; 0 for never.",
            default="3600000 if headless and not attached, else 0",
            minimum=0,
            scale=1000,
            keys=("timeouts.idle",),
        ),
    ] = None
