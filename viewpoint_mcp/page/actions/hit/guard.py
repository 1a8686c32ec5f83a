"""One press of the mouse, watched where it may land: did it meet what it was meant for?

The page may change between the hit test and the press, and it may do so because of the move that
comes first. See `inpage/actions/hit_guard.js`, which keeps from the page a press that met what it
was not meant for.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

import msgspec

from viewpoint_mcp.errors import PageError
from viewpoint_mcp.page.actions.hit.facts import Cause, Obstacle
from viewpoint_mcp.page.frames import Frame
from viewpoint_mcp.page.isolated_world import WorldGone

if TYPE_CHECKING:
    from viewpoint_mcp.page.services import PageServices


class PressOutcome(msgspec.Struct, frozen=True, rename={"kind": "fail"}):
    """What became of a press in one document, as `pressed` of `inpage` reports it.

    Attributes:
        state: "waiting" while no press came.
        kind: "missed" for a press that met something else; `how` and `by` as in `Obstacle`.
    """

    state: Literal["waiting", "hit", "missed"]
    kind: str = ""
    how: str = ""
    by: Cause | None = None

    @property
    def obstacle(self) -> Obstacle:
        """What the press met instead of its target."""
        return Obstacle(self.kind, self.how, self.by)


@dataclass(slots=True)
class HitGuard:
    """The documents that watch one press: the target's first, then those of the frames above.

    Attributes:
        by: Whether the target must have the name it was recognised by when the press comes; else
            it is enough that it is the same node.
    """

    page: PageServices
    by: Literal["name", "node"]
    _watched: list[tuple[Frame, str]] = field(default_factory=list)

    def watch(self, frame: Frame) -> None:
        """Take note that the frame's present document watches."""
        self._watched.append((frame, frame.document))

    async def outcome(self) -> tuple[Frame, PressOutcome] | None:
        """Return where the press missed and what is known of that; None when it met its target, or
        when what it did took away those who could tell.

        Ends the watching.
        """
        watched, self._watched = self._watched, []
        answers = await asyncio.gather(*(self._ask(frame, document) for frame, document in watched))
        for (frame, _), answer in zip(watched, answers, strict=True):
            if answer is not None and answer.state == "missed":
                return frame, answer
        if not answers or answers[0] is None or answers[0].state == "hit":
            return None
        return watched[0][0], answers[0]

    async def _ask(self, frame: Frame, document: str) -> PressOutcome | None:
        async def asking() -> PressOutcome:
            world = await frame.world()
            if frame.document != document:
                raise WorldGone("the press led to a document that did not watch it")
            answer = await world.call("pressed", timeout=self.page.timeouts.action)
            return msgspec.convert(answer, PressOutcome)

        blockers = self.page.blockers
        if frame.document != document or blockers.reason() is not None:
            return None
        try:
            return await self.page.current_action.ask(asking)
        except WorldGone:
            return None
        except PageError:
            if blockers.reason() is None:
                raise
            return None
