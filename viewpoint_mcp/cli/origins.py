"""The flags that say where pages may go."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import click

from viewpoint_mcp.cli.group import Declaration
from viewpoint_mcp.cli.option import option, read_with
from viewpoint_mcp.config.origins import parse_origins
from viewpoint_mcp.config.settings import OriginEntry, OriginRules, Proxy


def read_origins(values: Sequence[str]) -> tuple[OriginEntry, ...]:
    """Read what may be given several times."""
    return parse_origins(";".join(values)) if values else ()


ORIGIN_FLAGS: tuple[Declaration, ...] = (
    option(
        "--allowed-origins",
        callback=read_with(read_origins),
        metavar="ORIGINS",
        multiple=True,
        help="Where pages may go, and nowhere else, separated by semicolons: "
        "https://example.com, localhost:3000, *.example.org (what is below it), * (any).",
    ),
    option(
        "--blocked-origins",
        callback=read_with(read_origins),
        metavar="ORIGINS",
        multiple=True,
        help="Where pages may not go, even if allowed.",
    ),
)


def origins_of(values: dict[str, Any]) -> OriginRules:
    """Make the rules of what click parsed.

    Args:
        values: By the flags' names, with underscores.

    Raises:
        click.UsageError: They do not go with the browser or its proxy.
    """
    rules = OriginRules(values["allowed_origins"], values["blocked_origins"])
    if rules.are_given and (values["cdp_endpoint"] or values["auto_connect"]):
        raise click.UsageError(
            "--allowed-origins and --blocked-origins need a browser that this server starts: one "
            "that runs already has ways to the network that they cannot close. Leave them out, or "
            "the attaching."
        )
    proxy: Proxy | None = values["proxy_server"]
    if rules.are_given and values["proxy_bypass"]:
        raise click.UsageError(
            "--proxy-bypass does not go with --allowed-origins and --blocked-origins, which what "
            "goes without the proxy would escape."
        )
    if rules.are_given and proxy is not None and proxy.scheme == "socks4":
        raise click.UsageError(
            "--allowed-origins and --blocked-origins do not go with a SOCKS4 proxy; use socks5://."
        )
    return rules
