"""`cdp repl`: connects to the browser and starts the prompt."""

from __future__ import annotations

import platform
import sys
from typing import TYPE_CHECKING, Any

import click

from cdp_protocol.cli.options.browser_options import (
    BrowserChoice,
    browser_options,
    pass_choice,
    target_option,
)
from cdp_protocol.cli.protocol_source import description_of
from cdp_protocol.cli.run_command import INTERRUPTED, Failure, describe, note
from cdp_protocol.errors import CdpError, mask_url_secrets

if TYPE_CHECKING:
    from cdp_protocol.browser import Browser
    from cdp_protocol.description import Description


@click.command()
@target_option("the page that was used last")
@browser_options
@pass_choice
def repl(choice: BrowserChoice, /, *, target: str | None) -> None:
    """Talk to the browser in Python, with await, TAB and a history.

    At hand are browser, page, attach("title"), show(page.Network), explain("Page.navigate"),
    asyncio and cdp_protocol. Ctrl+C ends what runs, Ctrl+D the prompt. Without a terminal, stdin
    is run line by line.
    """
    from cdp_protocol.cli.repl.loop_thread import LoopThread

    try:
        with LoopThread() as loop:
            browser, names, description = loop.run(lambda: _open(choice, target))
            telling = browser.connection.on_lost(lambda lost: note(str(lost)))
            try:
                _talk(names, description, loop)
            finally:
                telling.close()
                loop.run(browser.close)
    except CdpError as error:
        raise Failure(describe(error)) from error
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)


async def _open(
    choice: BrowserChoice, target: str | None
) -> tuple[Browser, dict[str, Any], Description]:
    from cdp_protocol.cli.repl.names import Names

    browser = await choice.open()
    try:
        description = await description_of(browser, choice)
        return browser, await Names(browser, description, choice.headers).all(target), description
    except BaseException:
        await browser.close()
        raise


def _talk(names: dict[str, Any], description: Description, loop: Any) -> None:
    from cdp_protocol.cli.repl.completion import Completer
    from cdp_protocol.cli.repl.console import Console
    from cdp_protocol.cli.repl.line_editing import line_editing

    browser = names["browser"]
    banner = (
        f"Python {platform.python_version()}, {description.revision} at"
        f" {mask_url_secrets(browser.endpoint) or 'a pipe'}\n"
        'browser, page, attach("title"), show(page.Network), explain("Page.navigate");'
        " await works here, Ctrl+D ends it."
    )
    with line_editing(Completer(names, description)):
        Console(names, loop, description).talk(banner)
