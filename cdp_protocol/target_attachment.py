"""Attaching to a target by its id. A cancelled attempt leaves no session attached."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cdp_protocol.cancellation import create_or_undo_if_cancelled
from cdp_protocol.errors import INVALID_PARAMS, ProtocolError, TargetNotFound

if TYPE_CHECKING:
    from cdp_protocol.session import Session


async def attach_to_target(session: Session, target_id: str) -> Session:
    """Attach to a target through a session and return the new session; see `Session.attach`."""
    return await create_or_undo_if_cancelled(
        _send_attach_command(session, target_id), lambda attached: attached.close()
    )


async def _send_attach_command(session: Session, target_id: str) -> Session:
    try:
        result = await session.send(
            "Target.attachToTarget", {"targetId": target_id, "flatten": True}
        )
    except ProtocolError as error:
        if error.code != INVALID_PARAMS:
            raise
        raise TargetNotFound(error, target_id) from error
    return session.connection.session(result["sessionId"])
