"""The sub-command `install-browser`, the counterpart of the tool browser_install for people."""

from __future__ import annotations

import asyncio
import os
import sys
from typing import TYPE_CHECKING

import click

from viewpoint_mcp.config.settings import Settings
from viewpoint_mcp.errors import ViewpointError

if TYPE_CHECKING:
    from click._termui_impl import ProgressBar

    from viewpoint_mcp.browser.install.installer import Progress


@click.command("install-browser")
@click.option(
    "--force", is_flag=True, help="Download the newest version even if a browser is installed."
)
@click.pass_obj
def install_browser(settings: Settings, /, *, force: bool) -> None:
    """Download Chrome for Testing, unless a browser is installed.

    The server uses it if you choose no other browser. Set VIEWPOINT_MCP_BROWSER_DIR to change its
    directory, and VIEWPOINT_MCP_DOWNLOAD_HOST to use a mirror.
    """
    from viewpoint_mcp.browser.install.installer import install_browser

    display = _ProgressDisplay()
    try:
        result = asyncio.run(install_browser(settings, os.environ, display.show, force=force))
    except ViewpointError as error:
        display.finish()
        raise click.ClickException(str(error)) from error
    finally:
        display.finish()
    click.echo(result)


class _ProgressDisplay:
    """Progress output on stderr, with a bar on a terminal, else with a line for each step."""

    def __init__(self) -> None:
        self._step = ""
        self._bar: ProgressBar[int] | None = None

    def show(self, progress: Progress) -> None:
        """Display the progress. Must not be called from two threads at a time."""
        if progress.step != self._step:
            self.finish()
            self._step = progress.step
            click.echo(f"{progress.step} ...", err=True)
        if progress.total is not None and sys.stderr.isatty():
            if self._bar is None:
                self._bar = click.progressbar(length=progress.total, file=sys.stderr)
                self._bar.__enter__()
            self._bar.update(progress.done - self._bar.pos)

    def finish(self) -> None:
        """Finish the progress bar, if one is displayed."""
        bar, self._bar = self._bar, None
        if bar is not None:
            bar.render_finish()
