"""The timeouts of a server and their flags."""

from typing import Annotated

from msgspec import Struct

from viewpoint_mcp.config.flag_annotations import Flag, Heading, make_key_only_flag

_NO_LIMIT = 86_400.0  # a day


def replace_zero_with_no_limit(seconds: float) -> float:
    """Return a time limit in seconds; for 0 a day, in effect no limit."""
    return seconds or _NO_LIMIT


class Timeouts(Struct, frozen=True):
    """The timeouts in seconds.

    Args:
        action: Limit for each wait of an action, such as for the target to become actionable.
        navigation: Limit for a page to load.
        settle: Limit for the first effect of script that ran during an action.
        expect: Limit until a verification of the page holds; None to check once.
        launch: Limit for the start of the browser.
        attach: Limit for attaching to a running browser.
        script: Limit for JavaScript of the agent, promises included. `evaluate` uses at most 22.
        answer: Time without any answer after which the browser counts as hung.
        idle: Time without a call after which the browser is closed; 0 for never. None is an hour
            for a headless browser that the server launched, else never.
    """

    action: Annotated[
        float,
        Flag(
            "--timeout-action",
            Heading.WAITING,
            "Timeout of an action, in milliseconds; 0 for none.",
            parse=replace_zero_with_no_limit,
            minimum=0,
            scale=1000,
            config_keys=("timeouts.action",),
        ),
    ] = 5.0
    navigation: Annotated[
        float,
        Flag(
            "--timeout-navigation",
            Heading.WAITING,
            "Timeout of a page load, in milliseconds; 0 for none.",
            parse=replace_zero_with_no_limit,
            minimum=0,
            scale=1000,
            config_keys=("timeouts.navigation",),
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
            config_keys=("timeouts.settle",),
        ),
    ] = 0.5
    expect: Annotated[
        float | None,
        make_key_only_flag(
            "timeouts.expect", parse=replace_zero_with_no_limit, minimum=0, scale=1000
        ),
    ] = None
    launch: Annotated[
        float,
        make_key_only_flag(
            "browser.launchOptions.timeout",
            parse=replace_zero_with_no_limit,
            minimum=0,
            scale=1000,
        ),
    ] = 30.0
    attach: Annotated[
        float,
        Flag(
            "--cdp-timeout",
            Heading.BROWSER,
            "Timeout for attaching, in milliseconds; 0 for none.",
            default_text="30000; 60000 with --auto-connect",
            parse=replace_zero_with_no_limit,
            minimum=0,
            scale=1000,
            config_keys=("browser.cdpTimeout",),
            listed_after="--cdp-header",
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
            default_text="3600000 if headless and not attached, else 0",
            minimum=0,
            scale=1000,
            config_keys=("timeouts.idle",),
        ),
    ] = None
