"""The exception for faults between a relay and its proxy."""

from __future__ import annotations

CREDENTIALS_REFUSED = "refused the user name and password"


class ProxyError(Exception):
    """A fault of the proxy. The relay remembers it for the error of the failed navigation.

    The relay never passes this exception on.

    Args:
        what: The fault as a phrase that follows the proxy's name. Never contains credentials.
    """
