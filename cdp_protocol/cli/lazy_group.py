"""A click group that imports a command when it is used."""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from importlib import import_module
from typing import Any

import click

from cdp_protocol.cli.run_command import discard_stdout


class LazyGroup(click.Group):
    """A group of commands in separate modules, in the order of the help text.

    Args:
        commands: The import path of each command by name: "package.module:attribute".
    """

    def __init__(self, *arguments: Any, commands: Mapping[str, str], **keywords: Any) -> None:
        super().__init__(*arguments, **keywords)
        self._import_paths = commands

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(self._import_paths)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in self._import_paths:
            return None
        module, _, attribute = self._import_paths[cmd_name].partition(":")
        command = getattr(import_module(module), attribute)
        assert isinstance(command, click.Command)
        return command

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except BrokenPipeError:
            # The reader of stdout exited early, as `head` does.
            discard_stdout()
            return None

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and args[0] not in self._import_paths and not ctx.resilient_parsing:
            similar = difflib.get_close_matches(args[0], self._import_paths, n=1)
            suggestion = f" Did you mean {similar[0]}?" if similar else ""
            names = ", ".join(self._import_paths)
            ctx.fail(f'Unknown command "{args[0]}".{suggestion} Commands: {names}.')
        return super().resolve_command(ctx, args)
