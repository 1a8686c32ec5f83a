"""A command group whose `--help` shows the flags under headings."""

from __future__ import annotations

from collections.abc import Iterable

import click

from viewpoint_mcp.cli.flag_option import FlagOption
from viewpoint_mcp.cli.playwright_arguments import convert_arguments


class FlagGroup(click.Group):
    """A command group whose help shows the flags under headings, in the order of `add_flags`."""

    def add_flags(self, flags: Iterable[FlagOption]) -> None:
        """Add flags to the command."""
        self.params.extend(flags)

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse the command line, which may be in playwright-mcp's form."""
        return super().parse_args(ctx, convert_arguments(args, self.params, self.commands))

    def group_by_heading(self, context: click.Context) -> dict[str, list[click.Parameter]]:
        """Return the flags by heading. Those without a heading come last, under "Other"."""
        headings: dict[str, list[click.Parameter]] = {}
        for each in self.get_params(context):
            headings.setdefault(getattr(each, "heading", "") or "Other", []).append(each)
        return dict(sorted(headings.items(), key=lambda heading: heading[0] == "Other"))

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the flags under their headings, followed by the sub-commands."""
        for heading, flags in self.group_by_heading(ctx).items():
            records = [flag.get_help_record(ctx) for flag in flags]
            with formatter.section(heading):
                formatter.write_dl([record for record in records if record])
        self.format_commands(ctx, formatter)
