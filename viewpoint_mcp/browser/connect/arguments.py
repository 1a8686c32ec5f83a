"""How we launch Chromium: what an agent's browser needs beyond what any other does."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

from cdp_protocol.launching.arguments import LaunchOptions

PREFIX = "viewpoint-mcp-profile-"
"""What the names of our temporary directories begin with."""

# Said once for every launch; none of them weakens what separates one site from another.
_ALWAYS = (
    # No questions and no bubbles over the page.
    "--disable-save-password-bubble",
    "--disable-prompt-on-repost",
    "--disable-hang-monitor",
    # Popups are reported to the agent, who decides; a blocked one would look like a dead button.
    "--disable-popup-blocking",
    # A page works the same behind another window as in front of it.
    "--disable-background-timer-throttling",
    "--disable-backgrounding-occluded-windows",
    "--disable-renderer-backgrounding",
    # A click that arrives before the first frame counts, and a page gone back to loads anew.
    "--allow-pre-commit-input",
    "--disable-back-forward-cache",
    "--force-color-profile=srgb",
    "--disable-features=Translate,HttpsUpgrades,PaintHolding",
    # Pages below the address bar: they take two renderer processes for each window, and as much
    # time as all else that a window needs.
    "--disable-features=WebUIOmniboxPopup,WebUIOmniboxAimPopup",
)
_HEADLESS = (
    "--hide-scrollbars",
    "--mute-audio",
    # A machine without a mouse says "no hover, coarse pointer": pages would take their touch form.
    "--blink-settings=primaryHoverType=2,primaryPointerType=4",
)
# With the last window the browser would go, and the contexts that have no page now.
_WINDOWED = ("--keep-alive-for-test",)
# PDFs are saved: what Chromium's viewer shows, no agent can read.
_PREFERENCES: Mapping[str, object] = MappingProxyType(
    {"plugins": {"always_open_pdf_externally": True}}
)


def launch_options(
    executable: Path,
    *,
    headless: bool = True,
    sandbox: bool = True,
    user_data_dir: Path | None = None,
    starts_with_tab: bool = True,
    viewport: tuple[int, int] | None = None,
    by_pipe: bool = False,
    extra_args: tuple[str, ...] = (),
    timeout: float = 30.0,
) -> LaunchOptions:
    """Return how one of our browsers is launched.

    Args:
        executable: The browser's executable, or a script that becomes it.
        headless: Without a window.
        sandbox: Whether Chromium's own sandbox is on.
        user_data_dir: The profile to use and keep; None for a temporary one.
        starts_with_tab: Whether there is a window at once, with a tab in the browser's own context.
        viewport: Width and height of the first window in pixels; None leaves it to Chromium.
        by_pipe: Whether the protocol is spoken on the remote debugging pipe, and no port opened.
        extra_args: Further switches, put after ours so that they win.
        timeout: Seconds from the start to the answer of the debugging port.
    """
    window = () if viewport is None else ("--window-size={},{}".format(*viewport),)
    return LaunchOptions(
        executable=executable,
        headless=headless,
        sandbox=sandbox,
        user_data_dir=user_data_dir,
        preferences=_PREFERENCES,
        prefix=PREFIX,
        start_page="about:blank" if starts_with_tab else None,
        by_pipe=by_pipe,
        args=(*_ALWAYS, *(_HEADLESS if headless else _WINDOWED), *window, *extra_args),
        timeout=timeout,
    )
