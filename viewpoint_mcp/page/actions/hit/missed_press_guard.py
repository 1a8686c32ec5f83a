"""Guard of one mouse press: finds out whether the press met its target.

The page may change between the hit test and the press, also because of the mouse move before the
press. `inpage/actions/hit_guard.js` blocks a press that would meet another element.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

import msgspec

from viewpoint_mcp.errors import PageError
from viewpoint_mcp.page.actions.hit.inpage_answers import ElementFacts, Obstacle
from viewpoint_mcp.page.frames import Frame
from viewpoint_mcp.page.isolated_world import WorldGoneError

if TYPE_CHECKING:
    from viewpoint_mcp.page.services import PageServices


class PressOutcome(
    msgspec.Struct, frozen=True, rename={"kind": "fail", "variant": "how", "cause": "by"}
):
    """Outcome of a press in one document, as `pressed` of `inpage` reports it.

    Attributes:
        state: "waiting" until a press arrives.
        kind: "missed" if the press met something else; `variant` and `cause` as in `Obstacle`.
    """

    state: Literal["waiting", "hit", "missed"]
    kind: str = ""
    variant: str = ""
    cause: ElementFacts | None = None

    @property
    def obstacle(self) -> Obstacle:
        """The obstacle that the press met instead of its target."""
        return Obstacle(self.kind, self.variant, self.cause)


@dataclass(slots=True)
class MissedPressGuard:
    """Guard of one press: the documents that watch it, the target's first, then those around it.

    Attributes:
        match: "name" if the target must still have its recognised name when the press arrives;
            "node" if it only has to be the same node.
    """

    page: PageServices
    match: Literal["name", "node"]
    _watched: list[tuple[Frame, str]] = field(default_factory=list)

    def add_watching_document(self, frame: Frame) -> None:
        """Note that the frame's current document watches the press."""
        self._watched.append((frame, frame.document_id))

    async def collect_missed_press(self) -> tuple[Frame, PressOutcome] | None:
        """End the watching; return the frame where the press missed, and its outcome.

        Returns:
            The target's frame with the outcome "waiting" if no document received a press. None if
            the press met its target, or if the document that could report it is gone.
        """
        watched, self._watched = self._watched, []
        answers = await asyncio.gather(
            *(self._query_outcome(frame, document) for frame, document in watched)
        )
        for (frame, _), answer in zip(watched, answers, strict=True):
            if answer is not None and answer.state == "missed":
                return frame, answer
        if not answers or answers[0] is None or answers[0].state == "hit":
            return None
        return watched[0][0], answers[0]

    async def _query_outcome(self, frame: Frame, document: str) -> PressOutcome | None:
        async def query() -> PressOutcome:
            world = await frame.world()
            if frame.document_id != document:
                raise WorldGoneError("the press led to a document that did not watch it")
            answer = await world.call("pressed", timeout=self.page.timeouts.action)
            return msgspec.convert(answer, PressOutcome)

        blockers = self.page.blockers
        if frame.document_id != document or blockers.blocking_error() is not None:
            return None
        try:
            return await self.page.current_action.query_document_unless_navigating(query)
        except WorldGoneError:
            return None
        except PageError:
            if blockers.blocking_error() is None:
                raise
            return None
