"""`cdp repl`: connects to the browser and starts the prompt."""

from __future__ import annotations

import platform
import sys
from typing import TYPE_CHECKING, Any

import click

from cdp_protocol.cli.description_loading import load_description
from cdp_protocol.cli.options.browser_options import (
    BrowserChoice,
    browser_options,
    pass_choice,
    target_option,
)
from cdp_protocol.cli.run_command import EXIT_INTERRUPTED, Failure, describe_error, print_note
from cdp_protocol.errors import CdpError, mask_url_secrets

if TYPE_CHECKING:
    from cdp_protocol.browser import Browser
    from cdp_protocol.description import Description


@click.command()
@target_option("the page that was used last")
@browser_options
@pass_choice
def repl(choice: BrowserChoice, /, *, target: str | None) -> None:
    """Control the browser at a Python prompt.

    The prompt has await, TAB completion, a history, and the names browser, page, attach("title"),
    show(page.Network), explain("Page.navigate"), asyncio and cdp_protocol. Ctrl+C stops the running
    code, Ctrl+D exits. Without a terminal, the code is read from stdin.
    """
    from cdp_protocol.cli.repl.loop_thread import LoopThread

    try:
        with LoopThread() as loop:
            browser, variables, description = loop.run(
                lambda: _connect_and_create_variables(choice, target)
            )
            subscription = browser.connection.on_lost(lambda lost: print_note(str(lost)))
            try:
                _run_prompt(variables, description, loop)
            finally:
                subscription.close()
                loop.run(browser.close)
    except CdpError as error:
        raise Failure(describe_error(error)) from error
    except KeyboardInterrupt:
        sys.exit(EXIT_INTERRUPTED)


async def _connect_and_create_variables(
    choice: BrowserChoice, target: str | None
) -> tuple[Browser, dict[str, Any], Description]:
    from cdp_protocol.cli.repl.repl_namespace import ReplNamespace

    browser = await choice.open()
    try:
        description = await load_description(browser, choice)
        return (
            browser,
            await ReplNamespace(browser, description, choice.headers).attach_and_create_variables(
                target
            ),
            description,
        )
    except BaseException:
        await browser.close()
        raise


def _run_prompt(variables: dict[str, Any], description: Description, loop: Any) -> None:
    from cdp_protocol.cli.repl.completion import Completer
    from cdp_protocol.cli.repl.console import Console
    from cdp_protocol.cli.repl.line_editing import line_editing

    browser = variables["browser"]
    banner = (
        f"Python {platform.python_version()}, {description.revision} at"
        f" {mask_url_secrets(browser.endpoint) or 'a pipe'}\n"
        'browser, page, attach("title"), show(page.Network), explain("Page.navigate");'
        " await works here, Ctrl+D exits."
    )
    with line_editing(Completer(variables, description)):
        Console(variables, loop, description).run(banner)
