"""Plays one connection of a recording: which command is which, and what may be said by now.

Book-keeping alone: no socket, no clock. What the browser said comes in its order; an event when the
commands have come that were sent before it, an answer when its command has come as well. Clients
are never quite the same twice, so whoever waits in vain is helped on: see `patience` and `go_on`.
"""

from __future__ import annotations

import difflib
import logging
from bisect import bisect_left, insort
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from itertools import islice, takewhile
from typing import Any, Final

from cdp_protocol.recording.format import Message
from cdp_protocol.recording.similarity import ALIKE, Learned, likeness
from cdp_protocol.recording.steps import (
    Answer,
    Call,
    End,
    Event,
    Kind,
    Played,
    Say,
    Step,
    Stop,
    signature,
)
from cdp_protocol.wire.codec import encode

log = logging.getLogger(__name__)

_IDLE: Final = 2.0  # where nobody waits, and nobody is to act
_SKIPPED: Final = 0.15  # seconds of quiet, where what is missing should have come before
_READ: Final = 0.5  # where it may still come, and only looks
_SCRIPT: Final = 1.0  # where it may be what is waited for, and is nothing of the following
_DEED: Final = 10.0  # where somebody is to act
_MOST_THOUGHT: Final = 1.0  # that the client took in the recording, on top of these
_LONGEST: Final = 1.0  # seconds that an answer given again may take
_MANY: Final = 40  # commands that no client skips between two that it sends
_LATE: Final = 30  # steps that a client may be ahead of what it does late
_LOOKED_AT: Final = 200  # commands that may be alike
_NEAR: Final = 3  # commands before one that is only alike
_EXTRAS: Final = 3  # in a row; then the client is not asking again, but somewhere else
_CLEARLY: Final = 0.02  # so much more alike

_NO_REQUEST = -32600
_REFUSED = -32000
_NO_SESSION = -32001


class Player:
    """One connection, played to one client.

    Args:
        steps: What happened.
        version: What `Browser.getVersion` is answered if nobody asked for it then.

    Attributes:
        last: When, in the recording, the last of the commands came that have come.
        vain: What was asked and is not in the recording, as sentences.
        likened: How often a command was taken for one that differs, by its method.
        repeated: How often one came more often than in the recording, by its method.
    """

    def __init__(self, steps: list[Step], version: Message | None = None) -> None:
        self._steps = steps
        self._version = version
        self._at = 0
        self._furthest = -1  # that has come
        self._extras = 0  # since anything came that was to come
        self._over = False
        self.last = steps[0].time if steps else 0.0
        self._calls = list(dict.fromkeys(step for step in steps if isinstance(step, Call)))
        self._open: defaultdict[bytes, list[Call]] = defaultdict(list)
        self._methods: dict[str, list[Call]] = {}  # for those that are asked in vain
        self._to_come: defaultdict[Kind, list[Call]] = defaultdict(list)
        for call in self._calls:
            self._open[call.signature].append(call)
            self._to_come[call.kind].append(call)
            if len(known := self._methods.setdefault(call.method, [])) < _LOOKED_AT:
                known.append(call)
        self._sessions = {call.session for call in self._calls}
        self._same: dict[bytes, Call] = {}  # what was answered last
        self._answered: defaultdict[Kind, dict[bytes, Call]] = defaultdict(dict)  # of those
        self._alive: list[Call] = []  # what was missed, and may come late
        self._waiting: list[Call] = []
        self._out: list[Played] = []
        self._learned = Learned()
        self.vain: list[str] = []
        self.likened: Counter[str] = Counter()
        self.repeated: Counter[str] = Counter()

    @property
    def unused(self) -> list[Call]:
        """The commands of the recording that did not come, but for those that may stay away."""
        return [call for call in self._calls if not call.has_come and not call.is_optional]

    @property
    def calls(self) -> int:
        """How many commands there are in the recording."""
        return len(self._calls)

    def hear(self, message: Message) -> None:
        """Take a command of the client's."""
        method, session = message.get("method"), message.get("sessionId", "")
        if not isinstance(method, str) or not isinstance(message.get("id"), int):
            said = "Message must have integer 'id' and string 'method' property"
            self._refuse(message, _NO_REQUEST, said)
            return
        if not isinstance(session, str):
            self._refuse(message, _NO_REQUEST, "Message may have string 'sessionId' property")
            return
        params = self._learned.then(message.get("params") or {})
        sign = signature(session, method, params)
        call = self._exact(sign)
        if (call is None or self._is_far(call)) and self._repeat(sign, method, message["id"]):
            return
        if call is None and (call := self._alike(session, method, params)) is not None:
            self.likened[method] += 1
            self._learned.learn(call.params, params)
            if call.has_come:
                if self._repeat(call.signature, method, message["id"]):
                    return
                call = self._exact(call.signature)
        if call is None:
            self._refuse_unknown(session, method, params, message)
            return
        self._take(call, message["id"])

    def _repeat(self, sign: bytes, method: str, client_id: Any) -> bool:
        """Answer what was asked before as it was then."""
        if self._extras >= _EXTRAS and self._open.get(sign):
            return False
        same = self._same.get(sign)
        asked = next((call for call in self._waiting if call.signature == sign), None)
        if asked is not None:
            asked.followers.append(client_id)
        elif same is not None:
            self._answer(same, client_id, again=True)
        else:
            return False
        self._extras += 1
        self.repeated[method] += 1
        return True

    def ready(self) -> list[Played]:
        """Return what is to be said now, and forget it."""
        while not self._over and self._at < len(self._steps):
            if not self._passes(step := self._steps[self._at]):
                break
            self._at += 1
            if isinstance(step, Call) and step.has_come:
                self._extras = 0
        self._answer_early()
        out, self._out = self._out, []
        return out

    def patience(self) -> float | None:
        """How many seconds of quiet to wait for what is missing before `go_on`; None for ever."""
        missing = self._missing()
        if not missing:
            return None
        thought = min(_MOST_THOUGHT, max(call.gap for call in missing))
        waiting = self._first_waiting()
        if waiting is None:
            return None if any(call.is_deed for call in missing) else _IDLE + thought
        if missing[0].position < self._furthest:
            return _SKIPPED + thought
        if any(call.is_deed for call in missing):
            return _DEED + thought
        return (_READ if all(call.is_read for call in missing) else _SCRIPT) + thought

    def go_on(self) -> None:
        """Wait no longer for what is missing: the client has been quiet for long enough."""
        missing, waiting = self._missing(), self._first_waiting()
        if waiting is None:
            self._miss(missing)
            return
        same = self._same.get(waiting.signature)
        if same is not None and self._extras < _EXTRAS and self._is_far(waiting, _NEAR):
            # It asks once more what it has asked before, and the recording goes on elsewhere.
            self._extras += 1
            self.repeated[waiting.method] += 1
            self._waiting.remove(waiting)
            self._answer(same, waiting.client_id, again=True)
            waiting.client_id = None
            for calls in (self._open[waiting.signature], self._to_come[waiting.kind]):
                insort(calls, waiting, key=_position)
            return
        self._miss(missing)

    def _miss(self, calls: Iterable[Call]) -> None:
        for call in calls:
            log.debug("Waited in vain for %s of %.3f s", call.method, call.time)
            call.missed = True
            self._alive.append(call)

    def _answer_early(self) -> None:
        """Answer what was asked in its turn, though commands are missing that were sent later, if
        nothing else was told before the answer.
        """
        for position in range(self._at, len(self._steps)):
            step = self._steps[position]
            if isinstance(step, Event | End) or not self._waiting:
                break
            if isinstance(step, Answer) and step.call.position < self._at:
                self._passes(step)

    def _passes(self, step: Step) -> bool:
        """Say what a step says; False where it is not time yet."""
        if isinstance(step, Call):
            return step.has_come or step.missed or step.is_optional
        if isinstance(step, Event):
            message = self._learned.now(step.message)
            self._out.append(Say(message, step.time))
        elif isinstance(step, Answer):
            if step.call in self._waiting:
                self._waiting.remove(step.call)
                for client_id in (step.call.client_id, *step.call.followers):
                    self._answer(step.call, client_id)
        else:
            assert isinstance(step, End)
            self._out.append(Stop(step.reason, step.time))
            self._over = True
        return True

    # ---- which command is it?

    def _exact(self, sign: bytes) -> Call | None:
        """The command of the recording that this one is, if there is the very same."""
        candidates = self._open.get(sign)
        if not candidates:
            return None
        # What was missed comes before what was not.
        behind = list(takewhile(lambda call: call.missed, candidates))
        alive = next((call for call in behind if not call.is_dead), None)
        ahead = candidates[len(behind)] if len(behind) < len(candidates) else None
        return alive or ahead or (None if sign in self._same else behind[0])

    def _alike(self, session: str, method: str, params: Any) -> Call | None:
        """The first of those that are most like it; one that has come, if that is asked again."""
        coming = self._to_come[session, method][:_LOOKED_AT]
        horizon = self._horizon(_MANY)
        soon = [each for each in coming if each.position <= horizon]
        best, found = _most_alike(soon, params)
        if found is None or self._is_far(found, _NEAR):
            answered = reversed(self._answered[session, method].values())
            again, same = _most_alike(islice(answered, _LOOKED_AT), params)
            if same is not None and again >= best - _CLEARLY:
                return same
        return found or _most_alike(coming, params)[1]

    def _is_far(self, call: Call, many: int = _MANY) -> bool:
        """Whether a command is of a later time: between what was said last and it, the client did
        what it has not done yet.
        """
        return call.position > self._horizon(many)

    def _horizon(self, many: int) -> int:
        """The last position that is not of a later time."""
        for call in self._calls_from(self._at):
            if call.blocks:
                many -= 1
                if many < 0 or call.is_deed:
                    return call.position
        return len(self._steps)

    def _calls_from(self, position: int) -> Iterator[Call]:
        start = bisect_left(self._calls, position, key=_position)
        return (self._calls[index] for index in range(start, len(self._calls)))

    def _take(self, call: Call, client_id: Any) -> None:
        call.client_id = client_id
        self._open[call.signature].remove(call)
        self._to_come[call.kind].remove(call)
        self.last = max(self.last, call.time)
        if not call.is_optional:
            self._furthest = max(self._furthest, call.position)
        if call.answer is None:
            return
        if call.answered_at < self._at or call.is_optional:
            self._answer(call, client_id)
            return
        self._waiting.append(call)
        self._bury(call)

    def _bury(self, call: Call) -> None:
        """What was missed will not come any more when the client has gone on from there."""
        late = _LATE if not call.is_deed else 0
        for earlier in [each for each in self._alive if call.position - each.position > late]:
            earlier.is_dead = True
            self._alive.remove(earlier)

    # ---- what is missing?

    def _first_waiting(self) -> Call | None:
        return min(self._waiting, key=lambda call: call.answered_at, default=None)

    def _missing(self) -> list[Call]:
        """The commands without which nothing more is said: before the first answer that somebody
        waits for, or else before the next event.
        """
        waiting = self._first_waiting()
        if waiting is not None:
            held = waiting.position
            for position in range(self._at, waiting.answered_at):
                if isinstance(self._steps[position], Event | End):
                    held = max(held, position)
            until = takewhile(lambda call: call.position < held, self._calls_from(self._at))
            return [call for call in until if call.blocks]
        missing: list[Call] = []
        for position in range(self._at, len(self._steps)):
            step = self._steps[position]
            if isinstance(step, Event | End) or len(missing) == _LOOKED_AT:
                return missing
            if isinstance(step, Call) and step.blocks:
                missing.append(step)
                if not step.is_read:
                    return missing
        return []  # nobody would hear of it

    # ---- answers

    def _answer(self, call: Call, client_id: Any, *, again: bool = False) -> None:
        assert call.answer is not None
        self._same[call.signature] = call
        of_its_kind = self._answered[call.kind]
        of_its_kind.pop(call.signature, None)  # so that the latest is the last
        of_its_kind[call.signature] = call
        message = {**self._learned.now(call.answer), "id": client_id}
        time = self._steps[call.answered_at].time
        # Who asks again may wait by the clock for what then took its time.
        delay = min(time - call.time, _LONGEST) if again else 0.0
        self._out.append(Say(message, self.last if again else time, delay, is_answer=True))

    def _refuse_unknown(self, session: str, method: str, params: Any, message: Message) -> None:
        if method.startswith("Runtime.release"):
            self._say(message, {"result": {}})  # of what the recording never had
            return
        if method == "Browser.getVersion" and self._version:
            self._say(message, {"result": self._version})
            return
        if session and session not in self._sessions:
            self._refuse(message, _NO_SESSION, "Session with given id not found.")
            return
        nearest = self._nearest(session, method, params)
        said = f"{method} is not in the recording as it was asked.{nearest}"
        self.vain.append(said)
        self._refuse(message, _REFUSED, f"not in the recording: {said}")

    def _nearest(self, session: str, method: str, params: Any) -> str:
        if method not in self._methods:
            near = difflib.get_close_matches(method, self._methods, n=1)
            return f" Nearest is {near[0]}." if near else ""
        call = max(self._methods[method], key=lambda call: likeness(call.params, params))
        where = "" if call.session == session else " in another session"
        said = ", of which all have come" if call.has_come and not where else ""
        shown = encode(call.params).decode()
        shown = f"{shown[:150]}…" if len(shown) > 150 else shown
        return f" Nearest is, at {call.time:.3f} s{where}: {shown}{said}"

    def _refuse(self, message: Message, code: int, text: str) -> None:
        self._say(message, {"error": {"code": code, "message": text}})

    def _say(self, message: Message, what: Message) -> None:
        answer = {"id": message.get("id"), **what}
        if "sessionId" in message:
            answer["sessionId"] = message["sessionId"]
        self._out.append(Say(answer, self.last, is_answer=True))


def _most_alike(calls: Iterable[Call], params: Any) -> tuple[float, Call | None]:
    """The first of the calls that are most like these parameters, and how much it is."""
    best, found = 0.0, None
    for call in calls:
        score = likeness(call.params, params)
        if score >= ALIKE and score > best + _CLEARLY:
            best, found = score, call
    return best, found


def _position(call: Call) -> int:
    return call.position
