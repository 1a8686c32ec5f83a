"""The flags that say which browser there is, with which profile and by which way."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Sequence
from pathlib import Path

import click
from click.core import ParameterSource

from viewpoint_mcp.cli.group import Declaration
from viewpoint_mcp.cli.option import ABSOLUTE, MILLISECONDS, PREFIXES, option, read_with
from viewpoint_mcp.config.proxy import parse_bypass, parse_proxy
from viewpoint_mcp.errors import CallError

_SAID_NOW = (ParameterSource.COMMANDLINE, ParameterSource.ENVIRONMENT)
_CONTROL = re.compile(r"[\x00-\x08\x0a-\x1f\x7f]")


class Lines(click.types.StringParamType):
    """Texts that may hold blanks; in the environment each has a line of its own."""

    envvar_list_splitter = "\n"


def read_sandbox(context: click.Context, flag: click.Parameter, value: bool | None) -> bool | None:
    """Let the environment switch it off by the negative name as well, as for playwright-mcp."""
    if context.get_parameter_source(flag.name or "") in _SAID_NOW:
        return value
    named = (os.environ.get(f"{prefix}_NO_SANDBOX", "") for prefix in PREFIXES)
    return False if any(map(_is_true, named)) else value


def _is_true(text: str) -> bool:
    return text.strip().lower() in ("1", "true", "yes", "on")


def read_headers(
    _context: click.Context, _option: click.Parameter, values: Sequence[str]
) -> dict[str, str]:
    """Read HTTP headers, each as NAME: VALUE."""
    headers = {}
    for value in values:
        name, colon, content = value.partition(":")
        if (
            not colon
            or _CONTROL.search(content)
            or not re.fullmatch(r"[!#$%&'*+.^_`|~\w-]+", name.strip())
        ):
            # It is not repeated: it may hold a secret.
            raise click.BadParameter('one is not a header; write it as "Name: value".')
        headers[name.strip()] = content.strip()
    return headers


def read_connection(_context: click.Context, _option: click.Parameter, value: str) -> str:
    """Refuse the pipe where there is none."""
    if value == "pipe" and sys.platform == "win32":
        raise click.BadParameter("There is no pipe on Windows yet; leave it out.")
    return value


def _checked_trace(path: Path) -> Path:
    """Refuse a file that cannot be written, or that another server records in; one that is there
    keeps what is in it until a browser starts.
    """
    from cdp_protocol.recording.file import claim

    try:
        os.close(claim(path))
    except OSError as error:
        raise CallError(
            f"{path} cannot be written: {error.strerror}.", "Name another file."
        ) from error
    return path


def _checked_state(path: Path) -> Path:
    """Refuse a file that cannot be read, or that no browser could take."""
    from viewpoint_mcp.browser.storage import state_file

    state_file.read(path)
    return path


BROWSER_FLAGS: tuple[Declaration, ...] = (
    option("--headless", is_flag=True, help="Run Chromium without a window."),
    option(
        "--browser",
        type=click.Choice(["chrome", "chromium", "msedge"]),
        help="Which browser to look for; the first that is found if left out.",
    ),
    option("--executable-path", type=ABSOLUTE, help="The browser's executable."),
    option(
        "--sandbox/--no-sandbox",
        callback=read_sandbox,
        default=None,
        help="Chromium's own sandbox; on where Chromium can use it, if left out.",
    ),
    option("--user-data-dir", type=ABSOLUTE, help="Profile to keep; a temporary one if left out."),
    option(
        "--isolated", is_flag=True, help="Keep cookies and storage in memory only, off the record."
    ),
    option(
        "--shared-browser-context",
        is_flag=True,
        help="Let all HTTP clients act in the same contexts and tabs; each has its own if left "
        "out.",
    ),
    option(
        "--cdp-endpoint",
        help="Attach to a running browser: http(s) or ws(s) address, or host:port.",
    ),
    option(
        "--cdp-header",
        also_read=["PLAYWRIGHT_MCP_CDP_HEADERS"],
        type=Lines(),
        callback=read_headers,
        metavar="NAME:VALUE",
        multiple=True,
        help="HTTP header to send when attaching; may be repeated.",
    ),
    option(
        "--cdp-timeout",
        type=MILLISECONDS,
        help="Milliseconds to attach; 0 for no limit. [30000; 60000 with --auto-connect]",
    ),
    option(
        "--auto-connect",
        is_flag=True,
        help="Attach to your running browser, found by its profile: that of --user-data-dir, or "
        "the usual one of --browser.",
    ),
    option(
        "--browser-connection",
        type=click.Choice(["websocket", "pipe"]),
        callback=read_connection,
        default="websocket",
        help="How a browser that is launched is spoken to; by pipe it opens no port. [websocket]",
    ),
    option(
        "--trace-cdp",
        type=ABSOLUTE,
        callback=read_with(_checked_trace),
        metavar="FILE",
        help="Record what is said to the browser, for `cdp show` and `cdp replay`; secrets and "
        "what is typed are left out, but not what pages show or make of it.",
    ),
    option(
        "--browser-arg",
        type=Lines(),
        metavar="SWITCH",
        multiple=True,
        help="Further switch for the browser's command line, such as --lang=de; may be repeated.",
    ),
)

PROFILE_FLAGS: tuple[Declaration, ...] = (
    option(
        "--storage-state",
        type=ABSOLUTE,
        callback=read_with(_checked_state),
        metavar="FILE",
        help="Cookies and storage that the default context begins with, as Playwright and "
        "browser_context_save_storage write them.",
    ),
)

PROXY_FLAGS: tuple[Declaration, ...] = (
    option(
        "--proxy-server",
        callback=read_with(parse_proxy),
        metavar="URL",
        help="Proxy of the browser, and of contexts made without one of their own: "
        "http://host:port, https:// or socks5://; may hold user:password@.",
    ),
    option(
        "--proxy-bypass",
        callback=read_with(parse_bypass),
        metavar="HOSTS",
        help="What goes without the proxy, separated by commas, such as .example.com,localhost.",
    ),
)
