"""Targets: attaching to one by its id, which leaves nothing attached when it is given up."""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING

from cdp_protocol.cancellation import outlast_cancellation
from cdp_protocol.errors import INVALID_PARAMS, CdpError, ProtocolError, TargetNotFound

if TYPE_CHECKING:
    from cdp_protocol.session import Session

log = logging.getLogger(__name__)


async def attach(session: Session, target_id: str) -> Session:
    """Attach to a target through a session; see `Session.attach`."""
    asking = asyncio.create_task(_ask(session, target_id), name="cdp-attach")
    try:
        return await asyncio.shield(asking)
    except asyncio.CancelledError:
        # Awaited and undone, for nobody else would hear of the new session.
        await outlast_cancellation(asyncio.create_task(_leave(asking), name="cdp-leave"))
        raise


async def _ask(session: Session, target_id: str) -> Session:
    try:
        answer = await session.send(
            "Target.attachToTarget", {"targetId": target_id, "flatten": True}
        )
    except ProtocolError as error:
        if error.code != INVALID_PARAMS:
            raise
        raise TargetNotFound(error, target_id) from error
    return session.connection.session(answer["sessionId"])


async def _leave(attaching: asyncio.Task[Session]) -> None:
    try:
        session = await attaching
    except CdpError as error:
        log.debug("Nothing was attached to: %s", error)
    else:
        await session.close()
