"""The proxy of the browser, with its flags, its parsers and its form for Chromium."""

import re
from collections.abc import Mapping, Sequence
from typing import Annotated
from urllib.parse import quote, unquote, urlsplit

from msgspec import Struct

from viewpoint_mcp.config.flag_annotations import ConfigKey, Flag, Heading
from viewpoint_mcp.errors import CallError

_DEFAULT_PORTS = {"http": 80, "https": 443, "socks4": 1080, "socks5": 1080}
_ALIASES = {"socks5h": "socks5"}  # curl's name. The proxy resolves host names with both.
_SCHEME = re.compile(r"([a-zA-Z][a-zA-Z0-9+.-]*)://")
_HOST = re.compile(r"[\w.-]+|[0-9a-fA-F:.]+")
_CONTROL_CHARACTER = re.compile(r"[\x00-\x1f\x7f]")
_BYPASS_RULE = re.compile(r"(?:[a-z0-9]+://)?[\w.*:/\[\]-]+|<local>|<-loopback>")
_MAX_CREDENTIAL_BYTES = 255  # bytes of a name or a password, RFC 1929 section 2

_EXAMPLE = "Write it as http://host:port, https://host:port or socks5://host:port."
_BYPASS_EXAMPLE = (
    "Write hosts separated by commas, such as .example.com, localhost:3000, 10.0.0.0/8."
)
LOOPBACK_RULE = "<-loopback>"


def parse_bypass(text: str) -> tuple[str, ...]:
    """Parse the rules for requests that bypass the proxy.

    A rule is a host, a domain, an address or an address range. Rules are separated by commas,
    semicolons or blanks.

    Raises:
        CallError: A rule is malformed. Chromium would ignore it silently.
    """
    rules = tuple(filter(None, re.split(r"[,;\s]+", text)))
    for rule in rules:
        if not _BYPASS_RULE.fullmatch(rule):
            raise CallError(f'"{rule}" is not a host that can bypass the proxy.', _BYPASS_EXAMPLE)
    return rules


def format_proxy_url(proxy: Mapping[str, str]) -> str:
    """Return the URL of a proxy, with credentials, from the object in a configuration file."""
    server = proxy["server"]
    if username := proxy.get("username"):
        credentials = f"{quote(username, safe='')}:{quote(proxy.get('password', ''), safe='')}"
        scheme, separator, rest = server.rpartition("://")
        server = f"{scheme}{separator}{credentials}@{rest}"
    return server


def _get_bypass(proxy: Mapping[str, str]) -> str | None:
    return proxy.get("bypass") or None


def _to_bypass_object(rules: Sequence[str]) -> dict[str, str]:
    return {"bypass": ",".join(rules)} if rules else {}


class Proxy(Struct, frozen=True, kw_only=True):
    """The proxy for the traffic of a context, created by `parse_proxy`.

    `repr` shows neither user name nor password.

    Args:
        scheme: "http", "https", "socks4" or "socks5".
        host: A name or an address, without brackets.
        port: The port.
        bypass: Rules for requests that bypass the proxy, in the form of Chromium.
        username: The user name; "" for a proxy without authentication.
        password: The password.
    """

    scheme: str
    host: str
    port: int
    bypass: Annotated[
        tuple[str, ...],
        Flag(
            "--proxy-bypass",
            Heading.NETWORK,
            "Hosts to reach without the proxy, separated by commas, such as "
            ".example.com,localhost.",
            metavar="HOSTS",
            parse=parse_bypass,
            config_keys=(
                ConfigKey("browser.launchOptions.proxy", _get_bypass),
                ConfigKey("browser.contextOptions.proxy", _get_bypass),
            ),
            to_config=_to_bypass_object,
        ),
    ] = ()
    username: str = ""
    password: str = ""

    def __repr__(self) -> str:
        return f"Proxy({self.url_without_credentials})"

    @property
    def address(self) -> str:
        """`host:port`, with brackets around an IPv6 address."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{host}:{self.port}"

    @property
    def url_without_credentials(self) -> str:
        """`scheme://host:port`, the form for Chromium, without credentials."""
        return f"{self.scheme}://{self.address}"


def parse_proxy(
    server: str,
    username: str | None = None,
    password: str | None = None,
    bypass: str | None = None,
) -> Proxy:
    """Parse a proxy.

    Args:
        server: URL, or host:port for an HTTP proxy. It may contain credentials, percent-encoded.
        username: The user name, if `server` contains none.
        password: The password, if `server` contains no credentials.
        bypass: Rules for requests that bypass the proxy; see `parse_bypass`.

    Raises:
        CallError: An argument is malformed, or both `server` and the other arguments contain
            credentials. The message never repeats a credential.
    """
    text = server.strip()
    scheme_match = _SCHEME.match(text)
    scheme = scheme_match[1].lower() if scheme_match else "http"
    scheme = _ALIASES.get(scheme, scheme)
    if scheme not in _DEFAULT_PORTS:
        raise CallError(f'The proxy has the unknown scheme "{scheme}".', _EXAMPLE)
    host, port, credentials = _split_host_and_credentials(
        text[scheme_match.end() :] if scheme_match else text
    )
    if credentials is not None and (username or password):
        raise CallError("The proxy's user name and password are given twice.", "Give them once.")
    name, secret = credentials or (username or "", password or "")
    _check_credentials(scheme, name, secret)
    return Proxy(
        scheme=scheme,
        host=host,
        port=port or _DEFAULT_PORTS[scheme],
        bypass=parse_bypass(bypass or ""),
        username=name,
        password=secret,
    )


def _split_host_and_credentials(
    url_without_scheme: str,
) -> tuple[str, int | None, tuple[str, str] | None]:
    """Return host, port and credentials of a proxy URL without its scheme."""
    try:
        parts = urlsplit(f"//{url_without_scheme}")
        host, port = parts.hostname or "", parts.port
    except ValueError:
        raise CallError("The proxy's host or port is malformed.", _EXAMPLE) from None
    if parts.path.strip("/") or parts.query or parts.fragment:
        raise CallError("The proxy's address has more than a host and a port.", _EXAMPLE)
    if not _HOST.fullmatch(host) or port == 0:
        raise CallError("The proxy's host or port is missing or malformed.", _EXAMPLE)
    if "@" not in parts.netloc:
        return host, port, None
    return host, port, (unquote(parts.username or ""), unquote(parts.password or ""))


def _check_credentials(scheme: str, username: str, password: str) -> None:
    if password and not username:
        raise CallError("The proxy has a password, but no user name.", "Give username too.")
    if username and scheme == "socks4":
        raise CallError("SOCKS4 supports no user name and password.", "Use a socks5:// proxy.")
    if _CONTROL_CHARACTER.search(username) or _CONTROL_CHARACTER.search(password):
        raise CallError("The proxy's user name or password contains a control character.")
    if scheme.startswith("http") and ":" in username:
        raise CallError("The user name of an HTTP proxy cannot contain a colon.")
    if max(len(username.encode()), len(password.encode())) > _MAX_CREDENTIAL_BYTES:
        raise CallError(f"The proxy's user name or password exceeds {_MAX_CREDENTIAL_BYTES} bytes.")


def mask_proxy(proxy: Proxy) -> dict[str, str]:
    """Return a proxy in the form of the configuration file, without user name and password."""
    masked = {"username": "<masked>", "password": "<masked>"} if proxy.username else {}
    return {"server": proxy.url_without_credentials, **masked}


def format_bypass_list(proxy: Proxy) -> str:
    """Return the bypass rules for Chromium's command line.

    Loopback also goes through the proxy, unlike Chromium's default. A rule of the user that names
    loopback overrides this, because later rules win.
    """
    return ";".join((LOOPBACK_RULE, *proxy.bypass))
