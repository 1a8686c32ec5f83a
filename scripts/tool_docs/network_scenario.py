"""The calls of docs/tools.md for routes, the offline state and HAR files."""

from __future__ import annotations

from scripts.tool_docs.example import SITE, Example

STOCK = "async () => await fetch('/stock.json').then(r => r.json(), error => error.message)"
PREPARE = (
    Example("browser_navigate", {"url": f"{SITE}/index.html"}),
    Example("browser_route_list", {}, "A context without routes."),
)

ROUTES = (
    Example(
        "browser_route",
        {
            "pattern": "**/stock.json",
            "body": '{"message": "Sold out", "packs": 0}',
            "contentType": "application/json",
        },
        "Answer a request instead of the server.",
    ),
    Example("browser_evaluate", {"function": STOCK}),
    Example(
        "browser_route",
        {"pattern": r"/\.(png|jpg)$/i", "regex": True, "abort": "blockedbyclient"},
        "Abort the requests whose URL a regular expression matches.",
    ),
    Example(
        "browser_route",
        {"pattern": "**/orders", "headers": ["X-Test: 1"], "removeHeaders": "Referer"},
        "Change the headers of a request.",
    ),
    Example(
        "browser_route",
        {"pattern": "/orders", "status": 500},
        "A pattern must match the whole URL.",
    ),
    Example(
        "browser_route",
        {"pattern": "**/orders", "headers": ["X-Test"]},
        "The error for a malformed header.",
    ),
    Example("browser_route_list", {}, "List the routes, with the number of requests."),
    Example(
        "browser_network_export_har",
        {"filename": "shop.har"},
        "Save the requests of all open tabs.",
    ),
    Example(
        "browser_network_export_har",
        {"filename": "../shop.har"},
        "The error for a file outside of the allowed directories.",
    ),
    Example("browser_unroute", {"pattern": "/orders"}, "Remove the routes with a pattern."),
    Example("browser_unroute", {"pattern": "**/stock"}, "No route has the pattern."),
    Example("browser_unroute", {}, "Remove all routes."),
)

OFFLINE = (
    Example("browser_network_state_set", {"state": "offline"}, "Disconnect the context."),
    Example("browser_network_state_set", {"state": "slow"}, "The error for an unknown state."),
    Example("browser_network_state_set", {"state": "online"}, "Connect it again."),
)

NETWORK = (*PREPARE, *ROUTES, *OFFLINE)
