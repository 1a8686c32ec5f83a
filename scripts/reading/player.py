"""Replays a session with one server, like an agent that reads each reply.

Steps that an agent can plan together are one batch, if the server has batches: those whose elements
are in replies, or have names that the task or a reply mentions (`knowledge`).
"""

from __future__ import annotations

import asyncio
import dataclasses
import itertools
import re
import time
from collections import Counter, deque
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol, cast

from scripts.reading.knowledge import Knowledge
from scripts.reading.lines import count_characters
from scripts.reading.ref_ranges import find_ranges
from scripts.reading.servers import ADAPTERS
from scripts.reading.servers.adapter import Call, read_text
from scripts.reading.steps import Session, Step, Target

# An agent that does not see the result or the element yet looks again, and thinks in between.
READ_PAUSES = (0.0, 2.0, 4.0)
THINKING_TIME = 2.0

Trace = Callable[[str], None]


class Server(Protocol):
    """A server that tools are called on."""

    @property
    def name(self) -> str: ...
    async def start(self) -> None: ...
    async def stop(self) -> None: ...
    async def call_tool(self, tool: str, arguments: Mapping[str, Any]) -> dict[str, Any]: ...


class Contestant(Server, Protocol):
    """A server of which the tools or the guide are measured, too."""

    async def measure_guide(self) -> int | None: ...


class SessionFailed(Exception):
    """The session cannot go on; the message has the step and the reason."""


@dataclasses.dataclass(slots=True)
class Cost:
    """What a session cost its agent.

    Attributes:
        errors: The calls that failed; they are part of `calls`.
        kinds: The characters of the replies by kind of line.
        sent: The characters that the agent sends: tools with their arguments, or command lines.
        guide: The characters that the agent reads before its first call: the tools, or the guide
            of a command; None if there are none.
        seconds: The time of the calls, without the agent's pauses.
        failure: Why the session did not succeed, else empty.
    """

    calls: int = 0
    errors: int = 0
    pictures: int = 0
    kinds: Counter[str] = dataclasses.field(default_factory=Counter)
    sent: int = 0
    guide: int | None = None
    seconds: float = 0.0
    failure: str = ""

    @property
    def characters(self) -> int:
        """The characters of all replies."""
        return self.kinds.total()

    @property
    def exchanged(self) -> int:
        """The characters that the agent reads and sends."""
        return self.characters + self.sent


class Player:
    """Performs the steps of a session, and counts their cost."""

    def __init__(self, server: Server, origin: str, directory: Path, trace: Trace) -> None:
        self._server = server
        self._adapter = ADAPTERS[server.name]
        self._origin = origin
        self._directory = directory
        self._trace = trace
        self._knowledge = Knowledge()
        self._steps: deque[Step] = deque()
        self._batch: list[tuple[Step, list[Call]]] = []
        self._replies: list[str] = []
        self._older_replies: list[str] = []  # about documents before the present one
        self._result: Mapping[str, Any] = {}  # of the last call
        self._unread = 0  # the index of the first reply after the last `read`
        self.cost = Cost()

    async def play(self, session: Session) -> None:
        """Perform all steps and check the state of the application.

        Raises:
            SessionFailed: A step failed, a fact was not shown, or the state is wrong.
        """
        self._knowledge.add(session.task)
        self._steps = deque(session.steps)
        while self._steps or self._batch:
            if self._steps and self._join_batch(self._steps[0]):
                self._steps.popleft()
            elif self._batch:
                await self._run_batch()
            else:
                await self._begin(self._steps.popleft())
        proof = Step("evaluate", values={"function": session.proof})
        [(tool, arguments)] = self._build_calls(proof, ())
        result = await self._server.call_tool(tool, arguments)
        # A command prints the result as JSON.
        state = "\n".join(part["text"].replace('\\"', '"') for part in result["content"])
        if re.search(session.expected, state) is None:
            raise SessionFailed(f"the application's state is {state[:300]}")

    def _join_batch(self, step: Step) -> bool:
        """Add a step to the batch, if an agent can plan it before it reads the next reply."""
        if self._adapter.batch is None and self._batch:
            return False
        if step.action == "read":
            return self._is_awaited(step)
        if step.action == "think":
            return False
        if self._batch and not self._knowledge.has_words_of(step):
            return False
        refs = [self._find_known(step, target) for target in step.targets]
        if None in refs:
            return False
        self._batch.append((step, self._build_calls(step, cast("list[str]", refs))))
        return True

    def _is_awaited(self, read: Step) -> bool:
        """Return whether steps of the batch wait for all facts."""
        awaited = [
            str(step.values["text"])
            for step, _ in self._batch
            if step.action == "wait" and self._knowledge.has_words_of(step)
        ]
        facts = cast("list[str]", read.values["facts"])
        return all(any(re.search(fact, text) for text in awaited) for fact in facts)

    async def _begin(self, step: Step) -> None:
        """Perform a step for which the agent must look at the page first."""
        if step.action == "read":
            await self._read(step)
        elif step.action == "think":
            await asyncio.sleep(THINKING_TIME)
        else:
            refs = [await self._find(step, target) for target in step.targets]
            self._batch.append((step, self._build_calls(step, refs)))

    async def _read(self, step: Step) -> None:
        facts = cast("list[str]", step.values["facts"])
        reads = itertools.cycle(self._adapter.reads or [self._adapter.snapshot])
        for pause, call in zip(READ_PAUSES, reads, strict=False):
            if self._missing(facts):
                await asyncio.sleep(pause)
                await self._call(call)
        if missing := self._missing(facts):
            raise SessionFailed(f"no reply shows {missing[0]!r}")
        self._unread = len(self._replies)

    def _missing(self, facts: list[str]) -> list[str]:
        """Return the facts that no reply since the last `read` shows, and neither the last one."""
        replies = self._replies[min(self._unread, len(self._replies) - 1) :]
        return [fact for fact in facts if not any(re.search(fact, reply) for reply in replies)]

    def _build_calls(self, step: Step, refs: Sequence[str]) -> list[Call]:
        if step.action == "open":
            step = Step("open", values={"url": self._origin + str(step.values["path"])})
        return self._adapter.builders[step.action](step, refs, self._directory)

    async def _run_batch(self) -> None:
        """Run the batch. If a step fails, try it again with a ref of the error or of a snapshot."""
        batch, self._batch = self._batch, []
        if any(step.leaves for step, _ in batch):
            self._older_replies += self._replies
            self._keep_replies(0)  # only the refs in ranges of the next replies stay valid
        calls = [call for _, calls in batch for call in calls]
        done = await self._run(calls)
        if done == len(calls):
            return
        self._keep_replies(1)
        left = list(batch)
        while len(left[0][1]) <= done:
            done -= len(left.pop(0)[1])
        failed, *steps = [step for step, _ in left]
        if failed.action in {"wait", "wait_gone"}:  # then the agent looks at the page
            self._steps.extendleft(reversed(steps))
            return
        step = await self._alternative(failed)
        # A locator that failed would fail again.
        refs = [
            self._find_in_replies(target) or await self._find_in_snapshot(target)
            for target in step.targets
        ]
        again = self._build_calls(step, refs)
        if await self._run(again) < len(again):
            raise SessionFailed(
                f"{step.action} {step.target or step.values}: {self._replies[-1][:300]}"
            )
        if step.leaves:
            self._keep_replies(1)
        self._steps.extendleft(reversed(steps))

    async def _run(self, calls: Sequence[Call]) -> int:
        """Run calls, as a batch if the server has batches; return how many succeeded."""
        batch = self._adapter.batch
        if batch is None:
            for index, call in enumerate(calls):
                if not await self._call(call):
                    return index
            return len(calls)
        look = self._choose_look()
        together = [*calls, *([look] if look else [])]
        is_done = await self._call(batch.build(together) if together[1:] else together[0])
        if is_done:
            return len(calls)
        return batch.count_done(self._result) if together[1:] else 0

    def _choose_look(self) -> Call | None:
        """Return the call at the end of a batch, which shows what the next step needs."""
        batch = self._adapter.batch
        if batch is None or batch.search is None or not self._steps:
            return batch.snapshot if batch else None
        word = self._knowledge.find_known_word(self._steps[0])
        return batch.search(word) if word else batch.snapshot

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

    async def _find(self, step: Step, target: Target) -> str:
        return self._find_known(step, target) or await self._find_in_snapshot(target)

    async def _find_in_snapshot(self, target: Target) -> str:
        for pause in READ_PAUSES:
            await asyncio.sleep(pause)
            if ref := self._adapter.find_ref(target, await self._snapshot()):
                return ref
        raise SessionFailed(f"no snapshot shows {target}")

    def _find_known(self, step: Step, target: Target) -> str | None:
        """Return the ref of an element, or a locator in known words, without a look at the page.

        In a batch, no ref is known after a step that opens another document, nor of an element that
        a step before makes appear.
        """
        ref = None
        if not any(each.leaves for each, _ in self._batch) and not (target.is_new and self._batch):
            ref = self._find_in_replies(target)
        locator = target.find_locator()
        if ref or locator is None or self._adapter.batch is None:
            return ref
        is_known = self._knowledge.has_words_of(locator)
        return self._adapter.batch.build_ref(locator, step) if is_known else None

    def _find_in_replies(self, target: Target) -> str | None:
        for reply in self._replies[: -2 if target.is_new else None : -1]:
            if ref := self._adapter.find_ref(target, reply):
                return ref
        ranges = [one for reply in self._replies for one in find_ranges(reply)]
        for reply in reversed(self._older_replies if ranges and not target.is_new else []):
            if ref := self._adapter.find_ref(target, reply, ranges):
                return ref
        return None

    def _keep_replies(self, count: int) -> None:
        self._replies = self._replies[len(self._replies) - count :]
        self._unread = 0

    async def _snapshot(self) -> str:
        await self._call(self._adapter.snapshot)
        return self._replies[-1]

    async def _call(self, call: Call) -> bool:
        """Call a tool and count its reply; return whether it succeeded."""
        tool, arguments = call
        began = time.monotonic()
        self._result = result = await self._server.call_tool(tool, arguments)
        self.cost.seconds += time.monotonic() - began
        sent = self._adapter.write(call)
        self.cost.sent += len(sent)
        reply = read_text(result)
        self._trace(f"\n>>> {sent}\n{reply}")
        has_failed = bool(result.get("isError"))
        self.cost.calls += 1
        self.cost.errors += has_failed
        self.cost.pictures += sum(part["type"] == "image" for part in result["content"])
        self.cost.kinds += count_characters(reply)
        self._replies.append(reply)
        self._knowledge.add(reply)
        return not has_failed
