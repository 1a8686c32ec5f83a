"""The cookies of a context: set, deleted, cleared, and replaced or left as they were."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator
from typing import Any

import pytest
from msgspec.structs import replace

from cdp_protocol import Connection
from viewpoint_mcp.browser.storage.cookies import CookieStore
from viewpoint_mcp.browser.storage.state_file import Cookie
from viewpoint_mcp.errors import CallError

COOKIE = Cookie(name="c", value="1", domain="a.test")
PARTITIONED = replace(
    COOKIE,
    same_site="None",
    secure=True,
    partition_key="https://top.test",
    cross_site=True,
)


@pytest.fixture
async def cookies(connection: Connection) -> AsyncIterator[CookieStore]:
    target = connection.root.Target
    context_id = (await target.createBrowserContext())["browserContextId"]
    yield CookieStore(connection.root, context_id)
    await target.disposeBrowserContext(browserContextId=context_id)


async def set_cookie(cookies: CookieStore, **fields: Any) -> Cookie:
    """Set a cookie that differs from `COOKIE` in these fields."""
    names = set(Cookie.__struct_fields__) - {"partition_key", "cross_site"}
    return await cookies.set(**{name: getattr(COOKIE, name) for name in names} | fields)


async def test_a_cookie_is_returned_as_the_browser_keeps_it(cookies: CookieStore) -> None:
    assert await set_cookie(cookies) == COOKIE
    late = time.time() + 1000
    fields: dict[str, Any] = {"expires": late, "http_only": True, "secure": True, "path": "/x"}
    kept = await set_cookie(cookies, name="d", same_site="None", **fields)
    assert kept in await cookies.read()
    assert kept.expires == pytest.approx(late, abs=1)
    assert (kept.path, kept.http_only, kept.secure, kept.same_site) == ("/x", True, True, "None")


@pytest.mark.parametrize(
    ("domain", "kept"),
    [
        ("A.Test", "a.test"),
        (".a.test", ".a.test"),
        (".test", "test"),  # the whole of a top-level domain is refused
        ("bücher.test", "xn--bcher-kva.test"),
        ("[::1]", "[::1]"),
    ],
)
async def test_a_domain_is_found_again_in_the_form_of_the_browser(
    cookies: CookieStore, domain: str, kept: str
) -> None:
    assert (await set_cookie(cookies, domain=domain)).domain == kept


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"same_site": "None"}, "sameSite None needs secure: true."),
        ({"name": "__Secure-c"}, "A name that begins with __Secure- needs secure: true."),
        ({"name": "__Host-c", "secure": True, "path": "/x"}, 'needs the path "/" and a domain'),
        ({"name": "__Host-c", "secure": True, "domain": ".a.test"}, "a domain without a dot"),
        ({"value": "1;2"}, "must not contain ;"),
        ({"name": "c "}, "end with a space"),
        ({"path": "x"}, "The path must begin with /."),
    ],
)
async def test_a_refused_cookie_is_named_with_the_reason(
    cookies: CookieStore, fields: dict[str, Any], reason: str
) -> None:
    with pytest.raises(CallError) as caught:
        await set_cookie(cookies, **fields)
    assert f'refuses the cookie "{fields.get("name", "c")}" of' in str(caught.value)
    assert reason in str(caught.value)
    assert await cookies.read() == []


async def test_the_cookie_of_the_same_name_domain_and_path_is_replaced(
    cookies: CookieStore,
) -> None:
    other = await set_cookie(cookies, domain=".a.test")
    await set_cookie(cookies, secure=True)
    replaced = await set_cookie(cookies, value="2")
    assert sorted(await cookies.read(), key=lambda each: each.value) == [other, replaced]


async def test_all_cookies_of_a_name_are_deleted_and_no_others(cookies: CookieStore) -> None:
    deleted = [
        COOKIE,
        PARTITIONED,
        replace(COOKIE, domain=".b.test", path="/x", http_only=True, secure=True),
        replace(COOKIE, domain="c.test", expires=time.time() + 1000),
    ]
    kept = replace(COOKIE, name="c2")
    await cookies.restore([*deleted, kept])
    assert len(await cookies.delete("c")) == len(deleted)
    assert await cookies.read() == [kept]
    assert await cookies.delete("c") == []


async def test_cleared_cookies_are_counted(cookies: CookieStore) -> None:
    await cookies.restore([COOKIE, PARTITIONED])
    assert await cookies.clear() == 2
    assert await cookies.read() == []


async def test_replaced_cookies_are_gone_and_expired_ones_are_not_counted(
    cookies: CookieStore,
) -> None:
    await cookies.restore([COOKIE])
    new = replace(COOKIE, name="new")
    assert await cookies.replace([new, replace(new, name="old", expires=1)]) == 1
    assert await cookies.read() == [new]


async def test_the_former_cookies_stay_if_a_new_one_is_refused(cookies: CookieStore) -> None:
    former = [COOKIE, PARTITIONED]
    await cookies.restore(former)
    bad = replace(COOKIE, name="bad", same_site="None")
    with pytest.raises(CallError, match='of the storage state: "bad" of '):
        await cookies.replace([replace(COOKIE, value="2"), bad])
    assert sorted(await cookies.read(), key=lambda each: each.secure) == former
