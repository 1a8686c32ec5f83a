"""The command line for launching Chromium.

`process` starts the process, and `executable` finds the executable.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from cdp_protocol.launching.temporary_profile import PROFILE_PREFIX

_ENABLE_FEATURES = "--enable-features="
_DISABLE_FEATURES = "--disable-features="
_DISABLE_BLINK_FEATURES = "--disable-blink-features="

# None of these switches weakens the isolation of sites.
_BASE_SWITCHES = (
    # No first-run experience: no welcome page and no questions.
    "--no-first-run",
    "--no-default-browser-check",
    "--disable-default-apps",
    "--disable-search-engine-choice-screen",
    # The key chain of the system would prompt the user.
    "--password-store=basic",
    "--use-mock-keychain",
    # No telemetry.
    "--metrics-recording-only",
    "--disable-breakpad",
)
_NO_BACKGROUND_TRAFFIC = (
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
_FEATURES_WITH_TRAFFIC = (
    "MediaRouter",
    "DialMediaRouteProvider",
    "OptimizationHints",
    "AutofillServerCommunication",  # It would ask a Google server about each form.
)


@dataclass(frozen=True, slots=True, kw_only=True)
class LaunchOptions:
    """Options for launching one Chromium.

    Args:
        executable: The browser executable, or a script that replaces itself with it (`exec`).
        headless: Whether to run without a window.
        sandbox: Whether to enable Chromium's sandbox; see `machine_capabilities.is_sandbox_usable`.
        user_data_dir: The profile directory to use and keep. None for a temporary profile, which is
            removed at the end.
        preferences: Initial content of the file `Preferences` in a temporary profile.
        prefix: Name prefix of temporary profiles; see `temporary_profile.remove_leftover_profiles`.
        start_page: The URL of the first tab; None for no window and no tab.
        by_pipe: Whether to send CDP over the remote debugging pipe and open no port.
        background_networking: Whether the browser may send requests that no page causes: component
            updates, synchronisation, optimization hints.
        args: Additional switches. They follow the built-in switches and override them.
        ignored_switches: Built-in switches that are left out; see `select_switches`.
        environment: The environment of the browser; None for that of this process.
        timeout: Limit in seconds from the start until the debugging port or the pipe answers.
    """

    executable: Path
    headless: bool = True
    sandbox: bool = True
    user_data_dir: Path | None = None
    preferences: Mapping[str, object] | None = None
    prefix: str = PROFILE_PREFIX
    start_page: str | None = "about:blank"
    by_pipe: bool = False
    background_networking: bool = False
    args: tuple[str, ...] = ()
    ignored_switches: tuple[str, ...] | None = ()
    environment: Mapping[str, str] | None = None
    timeout: float = 30.0


def select_switches(
    switches: Iterable[str], ignored_switches: tuple[str, ...] | None
) -> Iterator[str]:
    """Yield the switches that are not ignored.

    Args:
        switches: The switches.
        ignored_switches: Whole switches, or their names without a value; None for all.
    """
    if ignored_switches is None:
        return
    for switch in switches:
        if switch not in ignored_switches and switch.partition("=")[0] not in ignored_switches:
            yield switch


def build_arguments(
    options: LaunchOptions, user_data_dir: Path, *, has_pipe: bool, has_small_shared_memory: bool
) -> list[str]:
    """Return the command line without the executable: the switches, then the start page.

    What the connection and the profile need is never left out.

    Args:
        options: The launch options.
        user_data_dir: The profile directory, from the options or temporary.
        has_pipe: Whether file descriptors 3 and 4 are a remote debugging pipe.
        has_small_shared_memory: Whether /dev/shm is too small for Chromium.
    """
    ignored = options.ignored_switches
    defaults = list(_BASE_SWITCHES)
    if not options.background_networking:
        defaults += _NO_BACKGROUND_TRAFFIC
        defaults.append(_DISABLE_FEATURES + ",".join(_FEATURES_WITH_TRAFFIC))
    arguments = [f"--user-data-dir={user_data_dir}"]
    if not options.by_pipe:
        arguments.append("--remote-debugging-port=0")
    if has_pipe:
        arguments.append("--remote-debugging-pipe")
    if options.headless:
        arguments.append("--headless=new")
    machine = ["--no-sandbox"] if not options.sandbox else []
    if has_small_shared_memory:
        machine.append("--disable-dev-shm-usage")
    # Without all default switches, Chromium still has to start on this machine.
    arguments += select_switches(machine, ignored or ())
    arguments += _merge_features((*select_switches(defaults, ignored), *options.args))
    # Without a window, Chromium keeps running only because of remote debugging.
    return [*arguments, options.start_page or "--no-startup-window"]


def _merge_features(args: Iterable[str]) -> Iterator[str]:
    """Yield the switches, with the lists of features of each kind merged into one switch.

    Chromium reads only the last switch of each kind.
    """
    kinds = (_ENABLE_FEATURES, _DISABLE_FEATURES, _DISABLE_BLINK_FEATURES)
    lists: dict[str, list[str]] = {kind: [] for kind in kinds}
    for argument in args:
        name, equals, features = argument.partition("=")
        if name + equals in lists:
            lists[name + equals] += features.split(",")
        else:
            yield argument
    for switch, names in lists.items():
        if merged := ",".join(dict.fromkeys(filter(None, names))):
            yield switch + merged
