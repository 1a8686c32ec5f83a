"""The cookies of a context in the running browser."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import msgspec

from cdp_protocol import CdpError, ConnectionLost, ProtocolError, Session
from viewpoint_mcp.browser.storage.state_file import Cookie, SameSite, join_and_count_rest
from viewpoint_mcp.errors import BrowserError, CallError
from viewpoint_mcp.page.blocking_conditions import browser_lost_error

if TYPE_CHECKING:
    from cdp_protocol.types import network as cdp

_EXPIRED = 1.0  # seconds since 1970; setting a cookie with this time deletes it


class CookieStore:
    """The cookies of one context. Open pages and the network use the same ones at once.

    Args:
        root: The root CDP session of the browser.
        context_id: CDP `Browser.BrowserContextID`; None for the browser's default context.
    """

    def __init__(self, root: Session, context_id: str | None) -> None:
        self._root = root
        self._context_id = context_id

    async def read(self) -> list[Cookie]:
        """Return all cookies, except those of opaque partitions.

        Raises:
            BrowserError: The browser does not answer.

        Source: CDP `Storage.getCookies`.
        """
        with _translate_errors("The cookies could not be read"):
            answer = await self._root.Storage.getCookies(browserContextId=self._context_id)
        # Cookies of an opaque partition, such as a sandboxed frame's, cannot be restored.
        return [
            _from_cdp_cookie(each)
            for each in answer["cookies"]
            if not each.get("partitionKeyOpaque")
        ]

    async def set(
        self,
        *,
        name: str,
        value: str,
        domain: str,
        path: str,
        expires: float,
        http_only: bool,
        secure: bool,
        same_site: SameSite,
    ) -> Cookie:
        """Set a cookie, and return it as the browser keeps it.

        Args:
            domain: A host name; with a dot first, the cookie is also for its subdomains.
            path: The path of the URLs that get the cookie.
            expires: A time in the future, in seconds since 1970; -1 for a session cookie.
            http_only: Whether scripts cannot read the cookie.
            secure: Whether it is sent over HTTPS and to localhost only.
            same_site: The requests from other sites that get it.

        Raises:
            CallError: The browser refused or dropped the cookie.
            BrowserError: The browser does not answer.

        Source: CDP `Storage.setCookies`.
        """
        cookie = Cookie(
            name=name,
            value=value,
            domain=domain,
            path=path,
            expires=expires,
            http_only=http_only,
            secure=secure,
            same_site=same_site,
        )
        if await self._write([cookie]):
            wanted = _get_content(cookie)
            for each in await self.read():  # the browser drops some invalid cookies silently
                if _get_content(each) == wanted:
                    return each
        raise CallError(
            f'The browser refuses the cookie "{cookie.name}" of {cookie.domain}.',
            _explain_refusal(cookie),
        )

    async def delete(self, name: str) -> list[Cookie]:
        """Delete the cookies of a name, of all domains and paths, and return them.

        Raises:
            BrowserError: The browser kept some of them, or does not answer.

        Source: CDP `Storage.setCookies`.
        """
        found = [each for each in await self.read() if each.name == name]
        if found:
            # The command that deletes cookies needs a page; an expired cookie does the same.
            await self._write(
                [msgspec.structs.replace(each, value="", expires=_EXPIRED) for each in found]
            )
            if any(each in found for each in await self.read()):
                raise BrowserError(
                    f'The browser kept the cookie "{name}".', "Use browser_cookie_clear."
                )
        return found

    async def clear(self) -> int:
        """Delete all cookies, and return how many there were.

        Raises:
            BrowserError: The browser does not answer.

        Source: CDP `Storage.clearCookies`.
        """
        count = len(await self.read())
        with _translate_errors("The cookies could not be deleted"):
            await self._root.Storage.clearCookies(browserContextId=self._context_id)
        return count

    async def restore(self, cookies: list[Cookie]) -> int:
        """Set cookies in a context without cookies. Expired ones are skipped.

        Returns:
            The number of cookies that have not expired.

        Raises:
            CallError: The browser refused or dropped some of them.
            BrowserError: The browser does not answer.
        """
        now = time.time()
        lasting = [each for each in cookies if each.expires < 0 or each.expires > now]
        if not lasting:
            return 0
        if not await self._write(lasting):
            # The error does not name the refused cookie, so set them one by one.
            for each in lasting:
                await self._write([each])
        # The browser drops some invalid cookies without an error.
        kept = {_get_key(each) for each in await self.read()}
        wanted = {_get_key(each): each for each in lasting}
        if len(kept) < len(wanted):
            refused = [
                f'"{each.name}" of {each.domain}' for key, each in wanted.items() if key not in kept
            ]
            raise CallError(
                "The browser refuses cookies of the storage state: "
                f"{join_and_count_rest(refused)}.",
                "Correct their attributes, or remove these cookies.",
            )
        return len(wanted)

    async def replace(self, cookies: list[Cookie]) -> int:
        """Delete all cookies and set others. If one is refused, restore the former cookies.

        Returns:
            The number of cookies that have not expired.

        Raises:
            CallError: The browser refused or dropped some of them.
            BrowserError: The browser does not answer.
        """
        former = await self.read()
        await self.clear()
        try:
            return await self.restore(cookies)
        except CallError:
            await self.clear()
            await self._write(former)
            raise

    async def _write(self, cookies: list[Cookie]) -> bool:
        """Set cookies, and return whether all of them are valid."""
        params = [_to_cdp_cookie(each) for each in cookies]
        with _translate_errors("The cookies could not be set"):
            try:
                await self._root.Storage.setCookies(
                    cookies=params, browserContextId=self._context_id
                )
            except ProtocolError:
                return False
        return True


def _get_key(cookie: Cookie) -> tuple[object, ...]:
    """Return the fields that together identify a cookie."""
    partition = cookie.partition_key and (cookie.partition_key, cookie.cross_site is not False)
    return cookie.name, cookie.domain.lower(), cookie.path, partition


def _get_content(cookie: Cookie) -> tuple[object, ...]:
    """Return the fields that the browser keeps as they are, and the domain in a common form."""
    domain = cookie.domain.lower().removeprefix(".")
    try:
        domain = domain if domain.isascii() else domain.encode("idna").decode()
    except UnicodeError:
        pass
    return cookie.name, cookie.value, domain, cookie.path, cookie.secure, cookie.http_only


def _explain_refusal(cookie: Cookie) -> str:
    """Return the most likely reason for which the browser refuses a cookie."""
    if cookie.same_site == "None" and not cookie.secure:
        return "sameSite None needs secure: true."
    if cookie.name.startswith(("__Secure-", "__Host-")) and not cookie.secure:
        return f"A name that begins with {cookie.name.split('-')[0]}- needs secure: true."
    if cookie.name.startswith("__Host-"):
        return (
            'A name that begins with __Host- needs the path "/" and a domain without a dot first.'
        )
    return (
        "The path must begin with /. Name and value must not contain ; or control characters, or "
        "begin or end with a space."
    )


def _from_cdp_cookie(cookie: cdp.Cookie) -> Cookie:
    partition = cookie.get("partitionKey")
    return Cookie(
        name=cookie["name"],
        value=cookie["value"],
        domain=cookie["domain"],
        path=cookie["path"],
        expires=cookie["expires"],
        http_only=cookie["httpOnly"],
        secure=cookie["secure"],
        same_site=cookie.get("sameSite", "Lax"),
        partition_key=partition["topLevelSite"] if partition else msgspec.UNSET,
        cross_site=partition["hasCrossSiteAncestor"] if partition else msgspec.UNSET,
    )


def _to_cdp_cookie(cookie: Cookie) -> cdp.CookieParam:
    parameters: cdp.CookieParam = {
        "name": cookie.name,
        "value": cookie.value,
        "domain": cookie.domain,
        "path": cookie.path,
        "httpOnly": cookie.http_only,
        "secure": cookie.secure,
        "sameSite": cookie.same_site,
    }
    if cookie.expires >= 0:
        parameters["expires"] = cookie.expires
    if cookie.partition_key is not msgspec.UNSET:
        parameters["partitionKey"] = {
            "topLevelSite": cookie.partition_key,
            "hasCrossSiteAncestor": cookie.cross_site is not False,
        }
    return parameters


@contextmanager
def _translate_errors(message: str) -> Iterator[None]:
    try:
        yield
    except ConnectionLost as error:
        raise browser_lost_error(error) from error
    except CdpError as error:
        raise BrowserError(f"{message}: {error}") from error
