"""What goes wrong between a relay and its proxy."""

from __future__ import annotations

REFUSED = "refused the user name and password"


class ProxyTrouble(Exception):
    """The proxy does not serve us. Never leaves its relay, which remembers it for the error of
    the navigation that failed.

    Args:
        what: What the proxy did, to follow its name. Never a credential.
    """
