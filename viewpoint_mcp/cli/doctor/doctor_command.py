"""The sub-command `doctor`. It imports the checks only when it runs."""

from __future__ import annotations

import click
from click.core import ParameterSource

from viewpoint_mcp.config.settings import Settings

_NOT_SET_BY_USER = (ParameterSource.DEFAULT, ParameterSource.DEFAULT_MAP, None)


@click.command(
    "doctor",
    short_help="Check what the server needs, and suggest fixes.",
    options_metavar="[--json]  (flags of the server go before the word)",
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON, for scripts.")
@click.pass_context
def doctor(context: click.Context, /, *, as_json: bool) -> None:
    """Check whether the server can work here, with the flags before the word `doctor`.

    Starts the browser once and opens a page. Exits with 0 if no check failed, else with 1.
    """
    import asyncio
    import io
    import os
    import sys

    from viewpoint_mcp import logs
    from viewpoint_mcp.cli.doctor.check_runner import Findings, run_checks
    from viewpoint_mcp.cli.doctor.report import has_failure, render_json, render_table
    from viewpoint_mcp.cli.serve import cancel_on_signal

    settings = context.obj
    assert isinstance(settings, Settings)
    if (
        context.parent is None
        or context.parent.get_parameter_source("log_level") in _NOT_SET_BY_USER
    ):
        # The findings replace the warnings of the server.
        logs.configure_logging("error", settings.secrets.mask)

    async def run() -> Findings:
        task = asyncio.create_task(run_checks(settings))
        cancel_on_signal(task)
        return await task

    try:
        findings = asyncio.run(run())
    except asyncio.CancelledError:
        raise click.Abort from None
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")  # A path may contain any bytes.
    is_colored = sys.stdout.isatty() and not os.environ.get("NO_COLOR")
    click.echo(render_json(findings) if as_json else render_table(findings, is_colored=is_colored))
    context.exit(1 if has_failure(findings) else 0)
