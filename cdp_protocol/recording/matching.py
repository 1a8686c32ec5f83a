"""Player of one recorded connection: matches a client's commands, and selects the due messages.

This module does no I/O and reads no clock. Events keep their recorded order. An event is due when
all commands recorded before it have arrived. A response also needs its own command, but can precede
missing commands (`_answer_early`). No client repeats a recording exactly, so `patience` limits the
wait for missing commands and `go_on` ends it.
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

# Limits in seconds of the wait for missing commands; see `Player.patience`.
_IDLE: Final = 2.0  # The client waits for no response, and no action is missing.
_SKIPPED: Final = 0.15  # The client has already sent a later command.
_READ: Final = 0.5  # Only commands that read state are missing.
_SCRIPT: Final = 1.0  # Other commands are missing, but no action.
_DEED: Final = 10.0  # An action is missing.
_MOST_THOUGHT: Final = 1.0  # limit of the time that the recorded client took, which is added
_LONGEST: Final = 1.0  # limit in seconds of the delay of a repeated response
_MANY: Final = 40  # A client does not skip more commands than this at once.
_LATE: Final = 30  # A missed command can still arrive until the client is this many steps ahead.
_LOOKED_AT: Final = 200  # limit of commands that are compared for similarity
_NEAR: Final = 3  # limit of skipped commands where a repeat is a likely explanation, too
_EXTRAS: Final = 3  # With more repeats in a row, the client is elsewhere and is not polling.
_CLEARLY: Final = 0.02  # difference of likeness that counts

_NO_REQUEST = -32600
_REFUSED = -32000
_NO_SESSION = -32001


class Player:
    """Replay of one connection to one client.

    Args:
        steps: The steps of the recorded connection.
        version: The result of `Browser.getVersion` if the recording does not contain the command.

    Attributes:
        last: The recorded time of the latest command that has arrived.
        vain: A sentence for each command that is not in the recording.
        likened: The number of commands matched with a similar recorded command, by method.
        repeated: The number of commands sent more often than in the recording, by method.
    """

    def __init__(self, steps: list[Step], version: Message | None = None) -> None:
        self._steps = steps
        self._version = version
        self._at = 0
        self._furthest = -1  # last position of a command that has arrived
        self._extras = 0  # repeated commands since the last expected command
        self._over = False
        self.last = steps[0].time if steps else 0.0
        self._calls = list(dict.fromkeys(step for step in steps if isinstance(step, Call)))
        self._open: defaultdict[bytes, list[Call]] = defaultdict(list)
        self._methods: dict[str, list[Call]] = {}  # for the sentences in `vain`
        self._to_come: defaultdict[Kind, list[Call]] = defaultdict(list)
        for call in self._calls:
            self._open[call.signature].append(call)
            self._to_come[call.kind].append(call)
            if len(known := self._methods.setdefault(call.method, [])) < _LOOKED_AT:
                known.append(call)
        self._sessions = {call.session for call in self._calls}
        self._same: dict[bytes, Call] = {}  # the latest answered command of each signature
        self._answered: defaultdict[Kind, dict[bytes, Call]] = defaultdict(dict)  # the same by kind
        self._alive: list[Call] = []  # missed commands that may still arrive
        self._waiting: list[Call] = []
        self._out: list[Played] = []
        self._learned = Learned()
        self.vain: list[str] = []
        self.likened: Counter[str] = Counter()
        self.repeated: Counter[str] = Counter()

    @property
    def unused(self) -> list[Call]:
        """The recorded commands that the client has not sent, without the optional ones."""
        return [call for call in self._calls if not call.has_come and not call.is_optional]

    @property
    def calls(self) -> int:
        """The number of commands in the recording."""
        return len(self._calls)

    def hear(self, message: Message) -> None:
        """Match a command of the client with a recorded one.

        If the command is malformed or not in the recording, queue an error response.
        """
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
        """Answer a repeated command like its previous occurrence; False if it is no repeat."""
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
        """Remove and return the messages that are due now."""
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
        """Return the seconds to wait for a silent client before `go_on`; None for no limit."""
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
        """Stop waiting for the missing commands, so that later messages become due."""
        missing, waiting = self._missing(), self._first_waiting()
        if waiting is None:
            self._miss(missing)
            return
        same = self._same.get(waiting.signature)
        if same is not None and self._extras < _EXTRAS and self._is_far(waiting, _NEAR):
            # The command was matched with a much later one, but repeats an earlier one. Answer it
            # as a repeat, and keep the later recorded command for later.
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
        """Queue responses before missing commands arrive, if no recorded event precedes them.

        Only commands recorded before the missing ones are answered.
        """
        for position in range(self._at, len(self._steps)):
            step = self._steps[position]
            if isinstance(step, Event | End) or not self._waiting:
                break
            if isinstance(step, Answer) and step.call.position < self._at:
                self._passes(step)

    def _passes(self, step: Step) -> bool:
        """Queue the messages of a step. Return False if its command is still missing."""
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

    # ---- matching of commands

    def _exact(self, sign: bytes) -> Call | None:
        """Return the recorded command with this signature, or None."""
        candidates = self._open.get(sign)
        if not candidates:
            return None
        # Missed commands precede the others.
        behind = list(takewhile(lambda call: call.missed, candidates))
        alive = next((call for call in behind if not call.is_dead), None)
        ahead = candidates[len(behind)] if len(behind) < len(candidates) else None
        return alive or ahead or (None if sign in self._same else behind[0])

    def _alike(self, session: str, method: str, params: Any) -> Call | None:
        """Return the most similar recorded command, or None.

        The result has already arrived if the client seems to repeat it.
        """
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
        """Return whether an action or more than `many` commands are missing before a command."""
        return call.position > self._horizon(many)

    def _horizon(self, many: int) -> int:
        """Return the last position of a command that is not far; see `_is_far`."""
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
        """Mark missed commands as dead when the client is far ahead of them with this command."""
        late = _LATE if not call.is_deed else 0
        for earlier in [each for each in self._alive if call.position - each.position > late]:
            earlier.is_dead = True
            self._alive.remove(earlier)

    # ---- missing commands

    def _first_waiting(self) -> Call | None:
        return min(self._waiting, key=lambda call: call.answered_at, default=None)

    def _missing(self) -> list[Call]:
        """Return the commands that block the next response that the client waits for.

        If the client waits for no response, return those that block the next event.
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
        return []  # No event follows, so the commands block nothing.

    # ---- responses

    def _answer(self, call: Call, client_id: Any, *, again: bool = False) -> None:
        assert call.answer is not None
        self._same[call.signature] = call
        of_its_kind = self._answered[call.kind]
        of_its_kind.pop(call.signature, None)  # Reinserting makes the command the last one.
        of_its_kind[call.signature] = call
        message = {**self._learned.now(call.answer), "id": client_id}
        time = self._steps[call.answered_at].time
        # A client that polls may rely on the time that the browser took for a response.
        delay = min(time - call.time, _LONGEST) if again else 0.0
        self._out.append(Say(message, self.last if again else time, delay, is_answer=True))

    def _refuse_unknown(self, session: str, method: str, params: Any, message: Message) -> None:
        if method.startswith("Runtime.release"):
            self._say(message, {"result": {}})  # The recording does not contain the object.
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
    """Return the likeness and the first of the calls that are most similar to the parameters.

    The call is None if none is similar enough.
    """
    best, found = 0.0, None
    for call in calls:
        score = likeness(call.params, params)
        if score >= ALIKE and score > best + _CLEARLY:
            best, found = score, call
    return best, found


def _position(call: Call) -> int:
    return call.position
