"""The command line that Chromium is launched with, and what the machine allows to be on it.

Starting the process is the business of `process`; which executable, that of `executable`.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

SMALL_SHARED_MEMORY = 256 * 1024 * 1024
_CONTAINER_MARKS = (Path("/.dockerenv"), Path("/run/.containerenv"))
_DISABLE_FEATURES = "--disable-features="

# Said once for every launch; none of them weakens what separates one site from another.
_QUIET = (
    # Nothing of the first start: no welcome page, no questions, no bubbles over the page.
    "--no-first-run",
    "--no-default-browser-check",
    "--disable-default-apps",
    "--disable-search-engine-choice-screen",
    "--disable-save-password-bubble",
    "--disable-prompt-on-repost",
    "--disable-hang-monitor",
    # Popups are reported to the agent, who decides; a blocked one would look like a dead button.
    "--disable-popup-blocking",
    # No traffic of the browser's own, and no telemetry.
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--metrics-recording-only",
    "--disable-breakpad",
    # The key chain would ask the person at the screen.
    "--password-store=basic",
    "--use-mock-keychain",
    # A page works the same behind another window as in front of it.
    "--disable-background-timer-throttling",
    "--disable-backgrounding-occluded-windows",
    "--disable-renderer-backgrounding",
    # A click that arrives before the first frame counts, and a page gone back to loads anew.
    "--allow-pre-commit-input",
    "--disable-back-forward-cache",
    "--force-color-profile=srgb",
)
_HEADLESS = (
    "--headless=new",
    "--hide-scrollbars",
    "--mute-audio",
    # A machine without a mouse says "no hover, coarse pointer": pages would take their touch form.
    "--blink-settings=primaryHoverType=2,primaryPointerType=4",
)
# With the last window the browser would go, and the contexts that have no page now.
_WINDOWED = ("--keep-alive-for-test",)
_DISABLED_FEATURES = (
    "Translate",
    "MediaRouter",
    "DialMediaRouteProvider",
    "OptimizationHints",
    "HttpsUpgrades",
    "PaintHolding",
    "AutofillServerCommunication",  # it would ask Google about each form
)


@dataclass(frozen=True, slots=True, kw_only=True)
class LaunchOptions:
    """How to launch one Chromium.

    Args:
        executable: The browser's executable, or a script that becomes it.
        headless: Without a window.
        sandbox: Whether Chromium's own sandbox is on; see `sandbox_usable`.
        user_data_dir: The profile to use and keep; None for a temporary one, removed at the end.
        starts_with_tab: Whether there is a window at once, with a tab in the browser's own context.
        viewport: Width and height of the first window in pixels; None leaves it to Chromium.
        by_pipe: Whether the protocol is spoken on the remote debugging pipe, and no port opened.
        extra_args: Further switches, put after ours so that they win.
        timeout: Seconds from the start to the answer of the debugging port.
    """

    executable: Path
    headless: bool = True
    sandbox: bool = True
    user_data_dir: Path | None = None
    starts_with_tab: bool = True
    viewport: tuple[int, int] | None = None
    by_pipe: bool = False
    extra_args: tuple[str, ...] = ()
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
    if not options.by_pipe:
        arguments.append("--remote-debugging-port=0")
    if pipe:
        arguments.append("--remote-debugging-pipe")
    arguments += _HEADLESS if options.headless else _WINDOWED
    if not options.sandbox:
        arguments.append("--no-sandbox")
    if small_shared_memory:
        arguments.append("--disable-dev-shm-usage")
    if options.viewport is not None:
        arguments.append("--window-size={},{}".format(*options.viewport))
    arguments += _with_features_joined(options.extra_args)
    # A browser without a window stays only because it is debugged.
    return [*arguments, "about:blank" if options.starts_with_tab else "--no-startup-window"]


def _with_features_joined(extra_args: tuple[str, ...]) -> Iterator[str]:
    """Chromium heeds the last --disable-features only, so there is one, and it has them all."""
    features = list(_DISABLED_FEATURES)
    for argument in extra_args:
        if argument.startswith(_DISABLE_FEATURES):
            features += argument.removeprefix(_DISABLE_FEATURES).split(",")
        else:
            yield argument
    yield _DISABLE_FEATURES + ",".join(dict.fromkeys(filter(None, features)))


def shared_memory_is_small(shared_memory: Path = Path("/dev/shm")) -> bool:
    """Whether /dev/shm is smaller than a few pages need, as it is in most containers (64 MB)."""
    if not sys.platform.startswith("linux"):
        return False
    try:
        return shutil.disk_usage(shared_memory).total < SMALL_SHARED_MEMORY
    except OSError:
        return True


def has_display(environ: Mapping[str, str], platform: str = sys.platform) -> bool:
    """Whether a window can be shown; on Linux that takes an X11 or a Wayland display.

    Args:
        environ: The environment that Chromium will have.
        platform: As in `sys.platform`.
    """
    if not platform.startswith("linux"):
        return True
    return bool(environ.get("DISPLAY") or environ.get("WAYLAND_DISPLAY"))


def is_container() -> bool:
    """Whether this is a container of Docker or Podman."""
    return any(mark.exists() for mark in _CONTAINER_MARKS)


def sandbox_refusal(
    *,
    is_root: bool | None = None,
    in_container: bool | None = None,
    can_make_namespaces: Callable[[], bool] | None = None,
) -> str | None:
    """Why Chromium cannot use its sandbox here; None when nothing speaks against it.

    Args:
        is_root: Whether we are root; found out when None.
        in_container: Whether this is a container; found out when None.
        can_make_namespaces: Asked in a container only: may an ordinary user make a namespace?
    """
    if not sys.platform.startswith("linux"):
        return None
    if os.geteuid() == 0 if is_root is None else is_root:
        return "Chromium refuses its sandbox to root"
    if not (is_container() if in_container is None else in_container):
        return None
    if (can_make_namespaces or _can_make_namespaces)():
        return None
    return "this container allows no user namespaces, which the sandbox is made of"


def sandbox_usable() -> bool:
    """Whether Chromium can use its sandbox here; `sandbox_refusal` says why not."""
    return sandbox_refusal() is None


def _can_make_namespaces() -> bool:
    unshare = shutil.which("unshare")
    if unshare is None:
        return True
    try:
        probe = subprocess.run(
            [unshare, "--user", "--net", "true"],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=2,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return True
    return probe.returncode == 0
