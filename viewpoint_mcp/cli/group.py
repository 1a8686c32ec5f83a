"""The command as a whole: its flags in groups, as `--help` shows them."""

from __future__ import annotations

from collections.abc import Iterable

import click

from viewpoint_mcp.cli.option import Option


class FlagGroup(click.Group):
    """Commands whose flags are shown under headings, in the order in which they were added."""

    def add_flags(self, flags: Iterable[Option]) -> None:
        """Give the command its flags."""
        self.params.extend(flags)

    def by_heading(self, context: click.Context) -> dict[str, list[click.Parameter]]:
        """Return the flags under their headings; those of none come last, under "Other"."""
        headings: dict[str, list[click.Parameter]] = {}
        for each in self.get_params(context):
            headings.setdefault(getattr(each, "heading", "") or "Other", []).append(each)
        return dict(sorted(headings.items(), key=lambda heading: heading[0] == "Other"))

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the groups, and the commands after them."""
        for heading, flags in self.by_heading(ctx).items():
            records = [flag.get_help_record(ctx) for flag in flags]
            with formatter.section(heading):
                formatter.write_dl([record for record in records if record])
        self.format_commands(ctx, formatter)
