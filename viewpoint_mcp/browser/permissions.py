"""Permissions that pages of a context have without a prompt."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from cdp_protocol import Session
from viewpoint_mcp.config.settings import Emulation

if TYPE_CHECKING:
    from cdp_protocol.types.browser import PermissionDescriptor


async def grant_permissions(root: Session, context_id: str | None, emulation: Emulation) -> None:
    """Grant the configured permissions to all origins; all others stay unchanged.

    An emulated geolocation includes its permission, because pages cannot read it otherwise.

    Source: CDP `Browser.setPermission`; the grant lasts as long as the connection.
    """
    names = set(emulation.permissions)
    if emulation.geolocation is not None:
        names.add("geolocation")
    setting = [
        root.Browser.setPermission(
            permission=_make_descriptor(name), setting="granted", browserContextId=context_id
        )
        for name in sorted(names)
    ]
    await asyncio.gather(*setting)


async def replace_permissions(root: Session, context_id: str | None, emulation: Emulation) -> None:
    """Grant the permissions of an emulation, and return all others to the user's decisions.

    Source: CDP `Browser.resetPermissions`.
    """
    await root.Browser.resetPermissions(browserContextId=context_id)
    await grant_permissions(root, context_id, emulation)


def _make_descriptor(name: str) -> PermissionDescriptor:
    """Source: CDP `Browser.PermissionDescriptor`."""
    return {"name": "midi", "sysex": True} if name == "midi-sysex" else {"name": name}
