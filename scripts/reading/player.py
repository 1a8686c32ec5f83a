"""Replays a session with one server, like an agent that reads each reply."""

from __future__ import annotations

import asyncio
import dataclasses
import re
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import cast

from scripts.benchmark.contestants import McpServer
from scripts.reading.lines import count_characters
from scripts.reading.ref_ranges import find_ranges
from scripts.reading.servers import ADAPTERS, Call
from scripts.reading.steps import Session, Step, Target

# An agent that does not see the result yet looks again, and thinks in between.
READ_PAUSES = (0.0, 2.0, 4.0)

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
        self._older_replies: list[str] = []  # about documents before the present one
        self._unread = 0  # the index of the first reply after the last `read`
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
        facts = cast("list[str]", step.values["facts"])
        for pause in READ_PAUSES:
            if self._missing(facts):
                await asyncio.sleep(pause)
                await self._snapshot()
        if missing := self._missing(facts):
            raise SessionFailed(f"no reply shows {missing[0]!r}")
        self._unread = len(self._replies)

    def _missing(self, facts: list[str]) -> list[str]:
        """Return the facts that no reply since the last `read` shows, and neither the last one."""
        replies = self._replies[min(self._unread, len(self._replies) - 1) :]
        return [fact for fact in facts if not any(re.search(fact, reply) for reply in replies)]

    async def _act(self, step: Step) -> None:
        """Perform a step; if that fails, try again with a ref of the error or of a snapshot."""
        if step.action == "open":
            step = Step("open", values={"url": self._origin + str(step.values["path"])})
        if await self._try(step):
            return
        self._keep_replies(1)
        if not await self._try(await self._alternative(step)):
            raise SessionFailed(
                f"{step.action} {step.target or step.values}: {self._replies[-1][:300]}"
            )

    async def _alternative(self, step: Step) -> Step:
        """Return the step with an element of another role, such as the label of a covered box."""
        target = step.target
        if target is None or "|" not in target.role:
            return step
        reply = self._replies[-1]
        other = dataclasses.replace(target, role=target.role.partition("|")[2])
        if self._adapter.find_ref(other, reply) is None:
            reply = await self._snapshot()
        is_shown = self._adapter.find_ref(other, reply) is not None
        return dataclasses.replace(step, target=other) if is_shown else step

    async def _try(self, step: Step) -> bool:
        targets = [step.target] if step.target else [target for target, _ in step.fields]
        refs = [await self._find(target) for target in targets]
        calls = self._adapter.builders[step.action](step, refs, self._directory)
        if step.action == "open" or step.values.get("leaves"):
            self._older_replies += self._replies
            self._keep_replies(0)  # only the refs in ranges of the next replies stay valid
        for call in calls:
            if not await self._call(call):
                return False
        return True

    async def _find(self, target: Target) -> str:
        for reply in self._replies[: -2 if target.is_new else None : -1]:
            if ref := self._adapter.find_ref(target, reply):
                return ref
        ranges = [one for reply in self._replies for one in find_ranges(reply)]
        for reply in reversed(self._older_replies if ranges and not target.is_new else []):
            if ref := self._adapter.find_ref(target, reply, ranges):
                return ref
        reply = await self._snapshot()
        ref = self._adapter.find_ref(target, reply)
        if ref is None:
            raise SessionFailed(f"the snapshot shows no {target}")
        return ref

    def _keep_replies(self, count: int) -> None:
        self._replies = self._replies[len(self._replies) - count :]
        self._unread = 0

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
