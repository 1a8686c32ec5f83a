"""Sites: what counts as the same place for the outflow guard."""

from __future__ import annotations

import re
from ipaddress import ip_address
from urllib.parse import urlsplit

# Second labels below which names are registered, such as `co.uk`; only with a country's label.
_SECOND_LABELS = frozenset({"ac", "co", "com", "edu", "gob", "gov", "gv", "ne", "net", "or", "org"})
# Names whose subdomains belong to different people: the best known of the public suffix list.
_SHARED_HOSTS = frozenset(
    {
        *("github.io", "gitlab.io", "vercel.app", "netlify.app", "pages.dev", "workers.dev"),
        *("web.app", "firebaseapp.com", "herokuapp.com", "onrender.com", "fly.dev", "glitch.me"),
        *("blogspot.com", "wordpress.com", "azurewebsites.net", "cloudfront.net", "r2.dev"),
        *("amazonaws.com", "appspot.com", "run.app", "ngrok.io", "ngrok-free.app", "repl.co"),
        *(
            "trycloudflare.com",
            "surge.sh",
            "deno.dev",
            "weebly.com",
            "wixsite.com",
            "myshopify.com",
        ),
    }
)
_URL_PREFIX = re.compile(r"(?:blob:)?(https?|wss?)://", re.IGNORECASE)


def find_site(url: str) -> str | None:
    """Return the site of a URL: its registrable domain, or host and port if it has none.

    Subdomains of a domain are one site, and so are http and https. An IP address or a host without
    a dot has no domain; there, ports distinguish sites. The public suffix list is approximated.

    Returns:
        None for a URL without a host, such as about:blank.
    """
    if not _URL_PREFIX.match(url):
        return None
    try:
        parts = urlsplit(url.removeprefix("blob:"))
        host, port = (parts.hostname or "").removesuffix("."), parts.port
    except ValueError:
        return None
    if not host:
        return None
    labels = host.split(".")
    if len(labels) < 2 or labels[-1] == "localhost" or _is_address(host):
        return f"{host}:{port}" if port else host
    return ".".join(labels[-_count_labels(labels) :])


def find_subdomain(url: str) -> str:
    """Return the labels of a URL's host that are left of its site; "" for none."""
    site = find_site(url)
    host = urlsplit(url).hostname or "" if site else ""
    return host[: -len(site or "")].rstrip(".") if site and host.endswith(site) else ""


def find_origin(url: str) -> str:
    """Return the origin of a URL for a message: `https://example.com`."""
    parts = urlsplit(url.removeprefix("blob:"))
    return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}"


def _count_labels(labels: list[str]) -> int:
    """Return how many labels at the end of a host name its site has."""
    if ".".join(labels[-2:]) in _SHARED_HOSTS:
        return 3
    has_second_label = len(labels[-1]) == 2 and labels[-2] in _SECOND_LABELS
    return 3 if has_second_label else 2


def _is_address(host: str) -> bool:
    try:
        ip_address(host)
    except ValueError:
        return False
    return True
