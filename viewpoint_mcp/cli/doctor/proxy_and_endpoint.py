"""Checks of the proxy and of the browser that the server attaches to."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Mapping
from urllib.parse import urlsplit

from viewpoint_mcp.browser.connect.attach import describe_running_browser
from viewpoint_mcp.browser.connect.discovery import find_running_browser
from viewpoint_mcp.browser.proxy.proxy_check import find_proxy_fault
from viewpoint_mcp.cli.doctor.finding import (
    Finding,
    failed_finding,
    note_finding,
    ok_finding,
    skipped_finding,
)
from viewpoint_mcp.config.settings import Settings
from viewpoint_mcp.errors import BrowserError

PROXY_TIMEOUT = 30.0  # seconds; the proxy may need answers from other servers
_PROXY_VARIABLES = ("http_proxy", "https_proxy", "all_proxy", "no_proxy")


async def check_proxy_connection(settings: Settings) -> Finding:
    """Check that the proxy of --proxy-server answers and accepts the user name and password."""
    proxy = settings.proxy
    if proxy is None:
        return skipped_finding("no --proxy-server")
    try:
        async with asyncio.timeout(PROXY_TIMEOUT):
            problem = await find_proxy_fault(proxy)
    except TimeoutError:
        problem = f"did not answer within {PROXY_TIMEOUT:g} s"
    if problem is not None:
        return failed_finding(
            f"the proxy {proxy.address} {problem}",
            fix="Correct --proxy-server (scheme, host, port, user:password@), or remove it.",
        )
    with_login = ", and accepts the user name and password" if proxy.username else ""
    return ok_finding(f"{proxy.url_without_credentials} answers{with_login}")


def check_proxy_variables(settings: Settings) -> Finding:
    """Report the proxy variables of the environment, which Chromium may use."""
    variables = format_proxy_variables(os.environ)
    if not variables:
        return ok_finding("no proxy variable is set")
    if settings.should_attach or settings.proxy is not None:
        return ok_finding("pages do not use the proxies of the environment", *variables)
    return note_finding(
        "Chromium may use the proxies of the environment",
        *variables,
        fix="Choose one with --proxy-server, or unset these variables.",
    )


def format_proxy_variables(environ: Mapping[str, str]) -> list[str]:
    """Return the proxy variables that are set, as `NAME=value` without user names and passwords."""
    names = [name for variable in _PROXY_VARIABLES for name in (variable, variable.upper())]
    # On Windows, names that differ only in case are the same variable.
    found = {name: environ[name] for name in names if environ.get(name)}
    return [f"{name}={_remove_credentials(value)}" for name, value in found.items()]


def _remove_credentials(value: str) -> str:
    before, at, after = value.rpartition("@")
    if not at:
        return value
    scheme, separator, _ = before.partition("://")
    return f"{scheme}://***@{after}" if separator else f"***@{after}"


async def check_endpoint(settings: Settings) -> Finding:
    """Check that the browser to attach to answers, without changing anything in it."""
    if not settings.should_attach:
        return skipped_finding("no --cdp-endpoint or --auto-connect")
    try:
        address = settings.cdp_endpoint
        if address is None:
            address = await find_running_browser(
                settings.user_data_dir, settings.channel, os.environ
            )
        browser = await describe_running_browser(address, settings)
    except BrowserError as error:
        return failed_finding(error.message, fix=error.hint or "")
    tabs = f"{browser.tabs} tab{'' if browser.tabs == 1 else 's'}"
    where = urlsplit(browser.url)
    return ok_finding(f"{browser.product} at {where.hostname}:{where.port}, {tabs}")
