"""The calls of docs/tools.md for cookies, localStorage, sessionStorage and the storage state."""

from __future__ import annotations

from scripts.tool_docs.example import SITE, Example

COOKIES = (
    Example("browser_navigate", {"url": f"{SITE}/index.html"}),
    Example("browser_cookie_list", {}, "List all cookies of the context."),
    Example(
        "browser_cookie_set",
        {"name": "currency", "value": "EUR"},
        "Set a cookie for the host of the active tab.",
    ),
    Example(
        "browser_cookie_set",
        {
            "name": "session",
            "value": "a1b2c3",
            "domain": ".example.com",
            "httpOnly": True,
            "secure": True,
            "sameSite": "None",
        },
        "Set a cookie for a domain and its subdomains.",
    ),
    Example(
        "browser_cookie_set",
        {"name": "session", "value": "a1b2c3", "sameSite": "None"},
        "The error for a cookie that the browser refuses.",
    ),
    Example("browser_cookie_list", {"domain": "example.com"}, "List the cookies of a domain."),
    Example("browser_cookie_list", {"path": "/admin"}, "No cookie is no error."),
    Example("browser_cookie_get", {"name": "session"}, "Read a cookie with its flags."),
    Example("browser_cookie_get", {"name": "basket"}, "A cookie that does not exist is no error."),
)

LOCAL_STORAGE = (
    Example("browser_localstorage_set", {"key": "theme", "value": "dark"}, "Set an item."),
    Example("browser_localstorage_set", {"key": "language", "value": "en"}, "Set a second item."),
    Example("browser_localstorage_list", {}, "List the items."),
    Example("browser_localstorage_get", {"key": "theme"}, "Read an item."),
    Example(
        "browser_localstorage_get", {"key": "basket"}, "An item that does not exist is no error."
    ),
)

STATE = (
    Example(
        "browser_storage_state",
        {"filename": "shop-state.json"},
        "Save the cookies and localStorage of the active context.",
    ),
    Example("browser_storage_state", {}, "Save them in a new file."),
    Example("browser_cookie_delete", {"name": "currency"}, "Delete a cookie."),
    Example("browser_cookie_delete", {"name": "currency"}, "The cookie is gone already."),
    Example("browser_localstorage_delete", {"key": "theme"}, "Delete an item."),
    Example("browser_localstorage_delete", {"key": "theme"}, "The item is gone already."),
    # Before the state is restored: open pages see the restored items a moment later.
    Example("browser_localstorage_clear", {}, "Delete all items of the page's origin."),
    Example(
        "browser_set_storage_state",
        {"filename": "shop-state.json"},
        "Restore the saved state in the running browser.",
    ),
    Example(
        "browser_set_storage_state",
        {"filename": "missing.json"},
        "The error for a file that does not exist.",
    ),
    Example("browser_cookie_clear", {}, "Delete all cookies of the context."),
)

SESSION_STORAGE = (
    Example("browser_sessionstorage_set", {"key": "step", "value": "2"}, "Set an item."),
    Example("browser_sessionstorage_list", {}, "List the items."),
    Example("browser_sessionstorage_get", {"key": "step"}, "Read an item."),
    Example("browser_sessionstorage_delete", {"key": "step"}, "Delete an item."),
    Example("browser_sessionstorage_delete", {"key": "step"}, "The item is gone already."),
    Example(
        "browser_sessionstorage_clear", {}, "Delete all items of the page's origin in the tab."
    ),
)

NO_STORAGE = (
    Example("browser_navigate", {"url": "about:blank"}),
    Example("browser_localstorage_list", {}, "The error of a page without a site."),
)

STORAGE = (*COOKIES, *LOCAL_STORAGE, *STATE, *SESSION_STORAGE, *NO_STORAGE)
