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
            "Timeout of an action, in milliseconds; 0 for none.",
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
            "Timeout of a page load, in milliseconds; 0 for none.",
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
            "Maximum wait for the first effect of a script that an action ran, in milliseconds.",
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
            "Timeout for attaching, in milliseconds; 0 for none.",
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
            "Milliseconds without a call after which the browser is closed; 0 for never. "
            "The next call starts it again.",
            default="3600000 if headless and not attached, else 0",
            minimum=0,
            scale=1000,
            keys=("timeouts.idle",),
        ),
    ] = None
