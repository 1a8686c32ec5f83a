"""Replays a session with one server, like an agent that reads each reply."""

from __future__ import annotations

import dataclasses
import re
from collections import Counter
from collections.abc import Callable
from pathlib import Path

from scripts.benchmark.contestants import McpServer
from scripts.reading.lines import count_characters
from scripts.reading.servers import ADAPTERS, Call
from scripts.reading.steps import Session, Step, Target

Trace = Callable[[str], None]


class SessionFailed(Exception):
    """The session cannot go on; the message has the step and the reason."""


@dataclasses.dataclass(slots=True)
class Cost:
    """What a session cost its agent.

    Attributes:
        errors: The calls that failed; they are part of `calls`.
        kinds: The characters of the replies by kind of line.
        failure: Why the session did not succeed, else empty.
    """

    calls: int = 0
    errors: int = 0
    pictures: int = 0
    kinds: Counter[str] = dataclasses.field(default_factory=Counter)
    failure: str = ""

    @property
    def characters(self) -> int:
        """The characters of all replies."""
        return self.kinds.total()


class Player:
    """Performs the steps of a session, and counts their cost."""

    def __init__(self, server: McpServer, origin: str, directory: Path, trace: Trace) -> None:
        self._server = server
        self._adapter = ADAPTERS[server.name]
        self._origin = origin
        self._directory = directory
        self._trace = trace
        self._replies: list[str] = []
        self.cost = Cost()

    async def play(self, session: Session) -> None:
        """Perform all steps and check the state of the application.

        Raises:
            SessionFailed: A step failed, a fact was not shown, or the state is wrong.
        """
        for step in session.steps:
            if step.action == "read":
                await self._read(step)
            else:
                await self._act(step)
        proof = Step("evaluate", values={"function": session.proof})
        [(tool, arguments)] = self._adapter.builders["evaluate"](proof, (), self._directory)
        state = str(await self._server.call_tool(tool, arguments))
        if re.search(session.expected, state) is None:
            raise SessionFailed(f"the application's state is {state[:300]}")

    async def _read(self, step: Step) -> None:
        facts = [str(fact) for fact in step.values["facts"]]  # type: ignore[attr-defined]
        if self._missing(facts):
            await self._snapshot()
        if missing := self._missing(facts):
            raise SessionFailed(f"no reply shows {missing[0]!r}")

    def _missing(self, facts: list[str]) -> list[str]:
        last = self._replies[-1] if self._replies else ""
        return [fact for fact in facts if re.search(fact, last) is None]

    async def _act(self, step: Step) -> None:
        """Perform a step; if that fails for an old ref, take a snapshot and try again."""
        if step.action == "open":
            step = Step("open", values={"url": self._origin + str(step.values["path"])})
        if await self._try(step):
            return
        await self._snapshot()
        if not await self._try(step):
            raise SessionFailed(
                f"{step.action} {step.target or step.values}: {self._replies[-1][:300]}"
            )

    async def _try(self, step: Step) -> bool:
        targets = [step.target] if step.target else [target for target, _ in step.fields]
        refs = [await self._find(target) for target in targets]
        calls = self._adapter.builders[step.action](step, refs, self._directory)
        if step.action == "open" or step.values.get("leaves"):
            self._replies.clear()  # the refs of the document before are void
        done = [await self._call(call) for call in calls]
        return all(done)

    async def _find(self, target: Target) -> str:
        for reply in reversed(self._replies):
            if ref := self._adapter.find_ref(target, reply):
                return ref
        reply = await self._snapshot()
        ref = self._adapter.find_ref(target, reply)
        if ref is None:
            raise SessionFailed(f"the snapshot shows no {target}")
        return ref

    async def _snapshot(self) -> str:
        await self._call(self._adapter.snapshot)
        return self._replies[-1]

    async def _call(self, call: Call) -> bool:
        """Call a tool and count its reply; return whether it succeeded."""
        tool, arguments = call
        result = await self._server.call_tool(tool, arguments)
        parts = result["content"]
        reply = "\n".join(part["text"] for part in parts if part["type"] == "text")
        self._trace(f"\n>>> {tool} {arguments}\n{reply}")
        has_failed = bool(result.get("isError"))
        self.cost.calls += 1
        self.cost.errors += has_failed
        self.cost.pictures += sum(part["type"] == "image" for part in parts)
        self.cost.kinds += count_characters(reply)
        self._replies.append(reply)
        return not has_failed
