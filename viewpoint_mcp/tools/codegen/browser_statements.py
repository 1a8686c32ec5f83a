"""Translation of tools that act on a context into statements: cookies, routes, storage."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Final

from viewpoint_mcp.tools.codegen.statements import Comment, Method, Statement, Value


@dataclass(frozen=True, slots=True)
class BrowserCall:
    """One successful call of a browser tool.

    Attributes:
        tool_name: The name of the tool.
        args: Its parsed arguments.
        context_name: The variable of the context that it acted on.
        page_url: URL of the active page of the context; "" without one.
    """

    tool_name: str
    args: Any
    context_name: str
    page_url: str

    def on_context(self, method: str, *arguments: Value, **options: Value) -> Method:
        """Return the call of a method of the context."""
        return Method(self.context_name, method, arguments, options)


def _set_cookie(call: BrowserCall) -> list[Statement]:
    args = call.args
    cookie: dict[str, Value] = {"name": args.name, "value": args.value}
    if args.domain is None:
        cookie["url"] = call.page_url
    else:
        cookie |= {"domain": args.domain, "path": args.url_path or "/"}
    optional = {
        "expires": args.expires,
        "httpOnly": args.http_only,
        "secure": args.secure,
        "sameSite": args.same_site,
    }
    cookie |= {name: value for name, value in optional.items() if value is not None}
    return [call.on_context("addCookies", [cookie])]


def _set_network_state(call: BrowserCall) -> list[Statement]:
    return [call.on_context("setOffline", call.args.state == "offline")]


def _save_storage(call: BrowserCall) -> list[Statement]:
    path = getattr(call.args, "path", None) or getattr(call.args, "filename", None)
    return [call.on_context("storageState", path=path or "storage-state.json")]


def _describe_hand_over(call: BrowserCall) -> list[Statement]:
    if call.args.timeout == 0:
        return []  # it ended a request
    message = " ".join(call.args.message.split())
    return [Comment(f"A person acts here: {message}", is_substitute=True)]


BROWSER_TRANSLATIONS: Final[Mapping[str, Callable[[BrowserCall], list[Statement]]]] = (
    MappingProxyType(
        {
            "browser_ask_user": _describe_hand_over,
            "browser_cookie_set": _set_cookie,
            "browser_cookie_delete": lambda call: [
                call.on_context("clearCookies", name=call.args.name)
            ],
            "browser_cookie_clear": lambda call: [call.on_context("clearCookies")],
            "browser_network_state_set": _set_network_state,
            "browser_context_save_storage": _save_storage,
            "browser_storage_state": _save_storage,
        }
    )
)
"""The translations, by the names of the tools. `SessionRecorder` handles tabs and contexts itself.
"""


def describe_untranslated(tool_name: str) -> Comment:
    """Return the comment for a call that changed something without a translation."""
    return Comment(f"{tool_name} is not written as code.", is_substitute=True)
