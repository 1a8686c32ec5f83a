"""A kind of pending work that lacks a member is refused when it is defined or made."""

from __future__ import annotations

from typing import Any

import pytest

from cdp_protocol import Session
from viewpoint_mcp.page.settle.page_network_state import PageNetworkState
from viewpoint_mcp.page.settle.pending_kind_base import EventHandler, PendingKindBase
from viewpoint_mcp.page.settle.pending_work import KINDS, PendingWork
from viewpoint_mcp.page.settle.settle_limits import SettleLimits


@pytest.mark.parametrize("missing", ["signal", "is_consequence", "should_delay_next_step"])
def test_a_kind_of_pending_work_must_declare_its_attributes(missing: str) -> None:
    declared = {"signal": "change", "is_consequence": True, "should_delay_next_step": False}
    del declared[missing]
    with pytest.raises(TypeError, match=missing):
        type("Incomplete", (PendingKindBase,), {}, **declared)


class Complete(PendingKindBase, signal="change", is_consequence=True, should_delay_next_step=False):
    @classmethod
    def list_event_handlers(cls, session: Session) -> tuple[EventHandler, ...]:
        return ()

    @property
    def deadline(self) -> float:
        return 1.0

    def note_document_replaced(self) -> None:
        pass


@pytest.mark.parametrize("missing", ["list_event_handlers", "deadline", "note_document_replaced"])
def test_a_kind_must_have_each_member(missing: str) -> None:
    work = PendingWork(0.0, SettleLimits(), PageNetworkState(lambda: "M"))
    Complete(work)
    namespace = {missing: getattr(PendingKindBase, missing)}
    declared: dict[str, Any] = {
        "signal": "change",
        "is_consequence": True,
        "should_delay_next_step": False,
    }
    incomplete: Any = type("Incomplete", (Complete,), namespace, **declared)
    with pytest.raises(TypeError, match=missing):
        incomplete(work)


def test_each_kind_is_listed_once() -> None:
    kinds = [
        k for k in PendingKindBase.__subclasses__() if k.__module__.startswith("viewpoint_mcp.")
    ]
    assert sorted(kind.__name__ for kind in KINDS) == sorted(kind.__name__ for kind in kinds)
