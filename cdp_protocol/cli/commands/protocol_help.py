"""`cdp help`: prints the documentation of a domain, command, event or type."""

from __future__ import annotations

import click

from cdp_protocol.cli import output
from cdp_protocol.cli.options import protocol_name_completion
from cdp_protocol.cli.run_command import EXIT_USAGE, Failure

EXAMPLES = """\b
cdp help Page
cdp help Page.navigate
cdp help Network.Request
"""


@click.command(name="help", epilog=EXAMPLES)
@click.argument(
    "name", required=False, metavar="[NAME]", shell_complete=protocol_name_completion.complete_names
)
@click.help_option("-h", "--help")
@click.pass_context
def help_command(context: click.Context, /, name: str | None) -> None:
    """Explain a domain, command, event or type of the protocol."""
    group = context.find_root()
    if name is None:
        click.echo(group.get_help())
        return
    assert isinstance(group.command, click.Group)
    command = group.command.get_command(group, name)
    if command is not None:
        with click.Context(command, info_name=name, parent=group) as command_context:
            click.echo(command.get_help(command_context))
        return
    output.write_text(protocol_documentation(name))


def protocol_documentation(name: str) -> str:
    """Return the documentation of a domain, command, event or type in the bundled description.

    Raises:
        Failure: The name is unknown.
    """
    from cdp_protocol.description import Description

    description = Description.bundled()
    try:
        return description.explain(name).rstrip()
    except LookupError as error:
        has_no_suggestion = not description.suggest(name)
        domains = f" Its domains: {', '.join(description.domains)}." if has_no_suggestion else ""
        raise Failure(f"{error}{domains}", EXIT_USAGE) from None
