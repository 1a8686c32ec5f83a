"""The command line that a Chromium is launched with.

Starting the process is the business of `process`; which executable, that of `executable`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from cdp_protocol.launching.profile import PREFIX

_DISABLE_FEATURES = "--disable-features="

# None of them weakens what separates one site from another.
_QUIET = (
    # Nothing of the first start: no welcome page and no questions.
    "--no-first-run",
    "--no-default-browser-check",
    "--disable-default-apps",
    "--disable-search-engine-choice-screen",
    # The key chain would ask the person at the screen.
    "--password-store=basic",
    "--use-mock-keychain",
    # No telemetry.
    "--metrics-recording-only",
    "--disable-breakpad",
)
_NO_TRAFFIC = (
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
_FEATURES_WITH_TRAFFIC = (
    "MediaRouter",
    "DialMediaRouteProvider",
    "OptimizationHints",
    "AutofillServerCommunication",  # it would ask Google about each form
)


@dataclass(frozen=True, slots=True, kw_only=True)
class LaunchOptions:
    """How to launch one Chromium.

    Args:
        executable: The browser's executable, or a script that becomes it.
        headless: Without a window.
        sandbox: Whether Chromium's own sandbox is on; see `machine.sandbox_usable`.
        user_data_dir: The profile to use and keep; None for a temporary one, removed at the end.
        preferences: What a temporary profile begins with, as its file `Preferences` has it.
        prefix: What the names of temporary profiles begin with; see `profile.sweep_leftovers`.
        start_page: Opened in the first tab; None for no window and no tab.
        by_pipe: Whether the protocol is spoken on the remote debugging pipe, and no port opened.
        background_networking: Whether the browser may have traffic of its own: updates of
            components, synchronization, hints.
        args: Further switches, put after ours so that they win.
        timeout: Seconds from the start to the answer of the debugging port.
    """

    executable: Path
    headless: bool = True
    sandbox: bool = True
    user_data_dir: Path | None = None
    preferences: Mapping[str, object] | None = None
    prefix: str = PREFIX
    start_page: str | None = "about:blank"
    by_pipe: bool = False
    background_networking: bool = False
    args: tuple[str, ...] = ()
    timeout: float = 30.0


def command_line(
    options: LaunchOptions, user_data_dir: Path, *, pipe: bool, small_shared_memory: bool
) -> list[str]:
    """Compose the switches and the start page, without the executable.

    Args:
        options: What was asked for.
        user_data_dir: The profile, given or temporary.
        pipe: Whether the remote debugging pipe is there, on file descriptors 3 and 4.
        small_shared_memory: Whether /dev/shm is too small for Chromium.
    """
    arguments = [*_QUIET, f"--user-data-dir={user_data_dir}"]
    features: tuple[str, ...] = ()
    if not options.background_networking:
        arguments += _NO_TRAFFIC
        features = _FEATURES_WITH_TRAFFIC
    if not options.by_pipe:
        arguments.append("--remote-debugging-port=0")
    if pipe:
        arguments.append("--remote-debugging-pipe")
    if options.headless:
        arguments.append("--headless=new")
    if not options.sandbox:
        arguments.append("--no-sandbox")
    if small_shared_memory:
        arguments.append("--disable-dev-shm-usage")
    arguments += _with_features_joined(features, options.args)
    # A browser without a window stays only because it is debugged.
    return [*arguments, options.start_page or "--no-startup-window"]


def _with_features_joined(disabled: tuple[str, ...], args: tuple[str, ...]) -> Iterator[str]:
    """Chromium heeds the last --disable-features only, so there is one, and it has them all."""
    features = list(disabled)
    for argument in args:
        if argument.startswith(_DISABLE_FEATURES):
            features += argument.removeprefix(_DISABLE_FEATURES).split(",")
        else:
            yield argument
    if joined := ",".join(dict.fromkeys(filter(None, features))):
        yield _DISABLE_FEATURES + joined
