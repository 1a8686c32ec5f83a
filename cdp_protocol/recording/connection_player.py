"""Player of one recorded connection: matches a client's commands, and selects the due messages.

It does no I/O. An event is due when all commands recorded before it have arrived.
A response also needs its own command, but can precede missing ones (`_queue_unblocked_responses`).
No client repeats a recording exactly, so the player skips commands that are missing for too long.
"""

from __future__ import annotations

import logging
from bisect import bisect_left, insort
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from itertools import islice, takewhile
from operator import attrgetter
from typing import Any, Final

from cdp_protocol.recording.command_similarity import (
    MAX_COMPARED,
    SIMILARITY_MARGIN,
    LearnedReplacements,
    describe_nearest_command,
    find_most_similar,
)
from cdp_protocol.recording.file_format import Message
from cdp_protocol.recording.recorded_steps import (
    CommandKind,
    Outgoing,
    OutgoingClose,
    OutgoingMessage,
    RecordedCommand,
    RecordedEnd,
    RecordedEvent,
    RecordedResponse,
    Step,
    make_signature,
)

log = logging.getLogger(__name__)

# Limits in seconds of the wait for missing commands; see `max_wait_for_missing_commands`.
_WAIT_IDLE: Final = 2.0  # The client waits for no response, and no action is missing.
_WAIT_SKIPPED: Final = 0.15  # The client has already sent a later command.
_WAIT_READ: Final = 0.5  # Only commands that read state are missing.
_WAIT_OTHER: Final = 1.0  # Other commands are missing, but no action.
_WAIT_ACTION: Final = 10.0  # An action is missing.
_MAX_CLIENT_TIME: Final = 1.0  # limit of the time that the recorded client took, which is added
_MAX_REPEAT_DELAY: Final = 1.0  # limit in seconds of the delay of a repeated response
_MAX_SKIPPED: Final = 40  # A client does not skip more commands than this at once.
# A missed command can still arrive until the client is this many steps ahead.
_MAX_LATE_STEPS: Final = 30
# With at most this many skipped commands, the command is more likely new than a repeat.
_MAX_NEAR_SKIPPED: Final = 3
_MAX_REPEATS: Final = 3  # With more repeats in a row, the client is elsewhere and is not polling.

_INVALID_REQUEST = -32600
_SERVER_ERROR = -32000
_SESSION_NOT_FOUND = -32001

_position_of = attrgetter("position")


class ConnectionPlayer:
    """Replay of one connection to one client.

    Args:
        steps: The steps of the recorded connection.
        version: The result of `Browser.getVersion` if the recording does not contain the command.

    Attributes:
        latest_command_time: The recorded time of the latest command that has arrived.
        unknown_commands: A sentence for each command that is not in the recording.
        similar_counts: The number of commands matched with a similar recorded command, by method.
        repeat_counts: The number of commands sent more often than in the recording, by method.
    """

    def __init__(self, steps: list[Step], version: Message | None = None) -> None:
        self._steps = steps
        self._version = version
        self._next_position = 0
        self._furthest_position = -1  # last position of a command that has arrived
        self._repeats_in_row = 0  # repeated commands since the last expected command
        self._is_over = False
        self.latest_command_time = steps[0].time if steps else 0.0
        commands = (step for step in steps if isinstance(step, RecordedCommand))
        self._commands = list(dict.fromkeys(commands))
        self._expected_by_signature: defaultdict[bytes, list[RecordedCommand]] = defaultdict(list)
        # For the sentences in `unknown_commands`.
        self._commands_by_method: dict[str, list[RecordedCommand]] = {}
        self._expected_by_kind: defaultdict[CommandKind, list[RecordedCommand]] = defaultdict(list)
        for call in self._commands:
            self._expected_by_signature[call.signature].append(call)
            self._expected_by_kind[call.session_and_method].append(call)
            if len(known := self._commands_by_method.setdefault(call.method, [])) < MAX_COMPARED:
                known.append(call)
        self._sessions = {call.session for call in self._commands}
        # The latest answered command of each signature; then the same by kind.
        self._answered_by_signature: dict[bytes, RecordedCommand] = {}
        self._answered_by_kind: dict[CommandKind, dict[bytes, RecordedCommand]] = defaultdict(dict)
        self._missed: list[RecordedCommand] = []  # missed commands that may still arrive
        self._unanswered: list[RecordedCommand] = []
        self._outgoing: list[Outgoing] = []
        self._replacements = LearnedReplacements()
        self.unknown_commands: list[str] = []
        self.similar_counts: Counter[str] = Counter()
        self.repeat_counts: Counter[str] = Counter()

    @property
    def unused_commands(self) -> list[RecordedCommand]:
        """The recorded commands that the client has not sent, without the optional ones."""
        return [call for call in self._commands if not (call.has_arrived or call.client_may_omit)]

    @property
    def recorded_command_count(self) -> int:
        """The number of commands in the recording."""
        return len(self._commands)

    def match_command(self, message: Message) -> None:
        """Match a command of the client with a recorded one.

        If the command is malformed or not in the recording, queue an error response.
        """
        method, session = message.get("method"), message.get("sessionId", "")
        if not isinstance(method, str) or not isinstance(message.get("id"), int):
            problem = "Message must have integer 'id' and string 'method' property"
            self._queue_error(message, _INVALID_REQUEST, problem)
            return
        if not isinstance(session, str):
            problem = "Message may have string 'sessionId' property"
            self._queue_error(message, _INVALID_REQUEST, problem)
            return
        params = self._replacements.client_to_recorded(message.get("params") or {})
        signature = make_signature(session, method, params)
        call = self._find_exact(signature)
        may_be_repeat = call is None or self._is_far_ahead(call)
        if may_be_repeat and self._try_answer_as_repeat(signature, method, message["id"]):
            return
        if call is None and (call := self._find_similar(session, method, params)) is not None:
            self.similar_counts[method] += 1
            self._replacements.learn(call.params, params)
            if call.has_arrived:
                if self._try_answer_as_repeat(call.signature, method, message["id"]):
                    return
                call = self._find_exact(call.signature)
        if call is None:
            self._respond_to_unknown_command(session, method, params, message)
            return
        self._accept_command(call, message["id"])

    def _try_answer_as_repeat(self, signature: bytes, method: str, client_id: Any) -> bool:
        """Answer a repeated command like its previous occurrence; False if it is no repeat."""
        if self._repeats_in_row >= _MAX_REPEATS and self._expected_by_signature.get(signature):
            return False
        previous = self._answered_by_signature.get(signature)
        unanswered = next((call for call in self._unanswered if call.signature == signature), None)
        if unanswered is not None:
            unanswered.duplicate_ids.append(client_id)
        elif previous is not None:
            self._queue_recorded_response(previous, client_id, is_repeat=True)
        else:
            return False
        self._repeats_in_row += 1
        self.repeat_counts[method] += 1
        return True

    def pop_due_messages(self) -> list[Outgoing]:
        """Remove and return the messages that are due now."""
        while not self._is_over and self._next_position < len(self._steps):
            if not self._try_play_step(step := self._steps[self._next_position]):
                break
            self._next_position += 1
            if isinstance(step, RecordedCommand) and step.has_arrived:
                self._repeats_in_row = 0
        self._queue_unblocked_responses()
        outgoing, self._outgoing = self._outgoing, []
        return outgoing

    def max_wait_for_missing_commands(self) -> float | None:
        """Return the seconds to wait until `skip_missing_commands`; None for no limit."""
        missing = self._commands_blocking_next_message()
        if not missing:
            return None
        client_time = min(_MAX_CLIENT_TIME, max(call.pause for call in missing))
        unanswered = self._first_unanswered_command()
        if unanswered is None:
            return None if any(call.is_action for call in missing) else _WAIT_IDLE + client_time
        if missing[0].position < self._furthest_position:
            return _WAIT_SKIPPED + client_time
        if any(call.is_action for call in missing):
            return _WAIT_ACTION + client_time
        only_reads = all(call.only_reads_state for call in missing)
        return (_WAIT_READ if only_reads else _WAIT_OTHER) + client_time

    def skip_missing_commands(self) -> None:
        """Skip the missing commands, or answer the first unanswered command as a repeat."""
        missing = self._commands_blocking_next_message()
        unanswered = self._first_unanswered_command()
        if unanswered is None:
            self._mark_missed(missing)
            return
        previous = self._answered_by_signature.get(unanswered.signature)
        may_be_repeat = self._repeats_in_row < _MAX_REPEATS
        if previous and may_be_repeat and self._is_far_ahead(unanswered, _MAX_NEAR_SKIPPED):
            # The command was matched with a much later one, but repeats an earlier one. Answer it
            # as a repeat, and keep the later recorded command for later.
            self._repeats_in_row += 1
            self.repeat_counts[unanswered.method] += 1
            self._unanswered.remove(unanswered)
            self._queue_recorded_response(previous, unanswered.client_id, is_repeat=True)
            unanswered.client_id = None
            expected = self._expected_by_signature[unanswered.signature]
            insort(expected, unanswered, key=_position_of)
            expected = self._expected_by_kind[unanswered.session_and_method]
            insort(expected, unanswered, key=_position_of)
            return
        self._mark_missed(missing)

    def _mark_missed(self, commands: Iterable[RecordedCommand]) -> None:
        for call in commands:
            log.debug("Skipped the missing %s, recorded at %.3f s", call.method, call.time)
            call.is_missed = True
            self._missed.append(call)

    def _queue_unblocked_responses(self) -> None:
        """Queue responses before missing commands arrive, if no recorded event precedes them.

        Only commands recorded before the missing ones are answered.
        """
        for position in range(self._next_position, len(self._steps)):
            step = self._steps[position]
            if isinstance(step, RecordedEvent | RecordedEnd) or not self._unanswered:
                break
            if isinstance(step, RecordedResponse) and step.call.position < self._next_position:
                self._try_play_step(step)

    def _try_play_step(self, step: Step) -> bool:
        """Queue the messages of a step. Return False if its command is still missing."""
        if isinstance(step, RecordedCommand):
            return step.has_arrived or step.is_missed or step.client_may_omit
        if isinstance(step, RecordedEvent):
            message = self._replacements.recorded_to_client(step.message)
            self._outgoing.append(OutgoingMessage(message, step.time))
        elif isinstance(step, RecordedResponse):
            if step.call in self._unanswered:
                self._unanswered.remove(step.call)
                for client_id in (step.call.client_id, *step.call.duplicate_ids):
                    self._queue_recorded_response(step.call, client_id)
        else:
            assert isinstance(step, RecordedEnd)
            self._outgoing.append(OutgoingClose(step.reason, step.time))
            self._is_over = True
        return True

    # ---- matching of commands

    def _find_exact(self, signature: bytes) -> RecordedCommand | None:
        """Return the recorded command with this signature, or None."""
        candidates = self._expected_by_signature.get(signature)
        if not candidates:
            return None
        # Missed commands precede the others.
        missed = list(takewhile(lambda call: call.is_missed, candidates))
        still_expected = next((call for call in missed if not call.is_dropped), None)
        next_command = candidates[len(missed)] if len(missed) < len(candidates) else None
        return (
            still_expected
            or next_command
            or (None if signature in self._answered_by_signature else missed[0])
        )

    def _find_similar(self, session: str, method: str, params: Any) -> RecordedCommand | None:
        """Return the most similar recorded command, or None.

        The result has already arrived if the client seems to repeat it.
        """
        expected = self._expected_by_kind[session, method][:MAX_COMPARED]
        last_near = self._last_position_within_skips(_MAX_SKIPPED)
        soon = [each for each in expected if each.position <= last_near]
        best_score, command = find_most_similar(soon, params)
        if command is None or self._is_far_ahead(command, _MAX_NEAR_SKIPPED):
            answered = reversed(self._answered_by_kind[session, method].values())
            repeat_score, previous = find_most_similar(islice(answered, MAX_COMPARED), params)
            if previous is not None and repeat_score >= best_score - SIMILARITY_MARGIN:
                return previous
        return command or find_most_similar(expected, params)[1]

    def _is_far_ahead(self, call: RecordedCommand, max_skipped: int = _MAX_SKIPPED) -> bool:
        """Return whether an action, or more than `max_skipped` commands, are missing before it."""
        return call.position > self._last_position_within_skips(max_skipped)

    def _last_position_within_skips(self, max_skipped: int) -> int:
        """Return the last position of a command that is not far; see `_is_far_ahead`."""
        for call in self._commands_from(self._next_position):
            if call.blocks_later_messages:
                max_skipped -= 1
                if max_skipped < 0 or call.is_action:
                    return call.position
        return len(self._steps)

    def _commands_from(self, position: int) -> Iterator[RecordedCommand]:
        start = bisect_left(self._commands, position, key=_position_of)
        return (self._commands[index] for index in range(start, len(self._commands)))

    def _accept_command(self, call: RecordedCommand, client_id: Any) -> None:
        call.client_id = client_id
        self._expected_by_signature[call.signature].remove(call)
        self._expected_by_kind[call.session_and_method].remove(call)
        self.latest_command_time = max(self.latest_command_time, call.time)
        if not call.client_may_omit:
            self._furthest_position = max(self._furthest_position, call.position)
        if call.response is None:
            return
        if call.response_position < self._next_position or call.client_may_omit:
            self._queue_recorded_response(call, client_id)
            return
        self._unanswered.append(call)
        self._drop_missed_commands_far_before(call)

    def _drop_missed_commands_far_before(self, call: RecordedCommand) -> None:
        """Drop the missed commands that the client is far ahead of with this command."""
        max_late_steps = _MAX_LATE_STEPS if not call.is_action else 0
        for missed in list(self._missed):
            if call.position - missed.position > max_late_steps:
                missed.is_dropped = True
                self._missed.remove(missed)

    # ---- missing commands

    def _first_unanswered_command(self) -> RecordedCommand | None:
        return min(self._unanswered, key=lambda call: call.response_position, default=None)

    def _commands_blocking_next_message(self) -> list[RecordedCommand]:
        """Return the commands that block the next response that the client waits for.

        If the client waits for no response, return those that block the next event.
        """
        unanswered = self._first_unanswered_command()
        if unanswered is not None:
            last_blocking = unanswered.position
            for position in range(self._next_position, unanswered.response_position):
                if isinstance(self._steps[position], RecordedEvent | RecordedEnd):
                    last_blocking = max(last_blocking, position)
            candidates = takewhile(
                lambda call: call.position < last_blocking, self._commands_from(self._next_position)
            )
            return [call for call in candidates if call.blocks_later_messages]
        missing: list[RecordedCommand] = []
        for position in range(self._next_position, len(self._steps)):
            step = self._steps[position]
            if isinstance(step, RecordedEvent | RecordedEnd) or len(missing) == MAX_COMPARED:
                return missing
            if isinstance(step, RecordedCommand) and step.blocks_later_messages:
                missing.append(step)
                if not step.only_reads_state:
                    return missing
        return []  # No event follows, so the commands block nothing.

    # ---- responses

    def _queue_recorded_response(
        self, call: RecordedCommand, client_id: Any, *, is_repeat: bool = False
    ) -> None:
        assert call.response is not None
        self._answered_by_signature[call.signature] = call
        answered_of_kind = self._answered_by_kind[call.session_and_method]
        answered_of_kind.pop(call.signature, None)  # Reinserting makes the command the last one.
        answered_of_kind[call.signature] = call
        message = {**self._replacements.recorded_to_client(call.response), "id": client_id}
        time = self._steps[call.response_position].time
        # A client that polls may rely on the time that the browser took for a response.
        delay = min(time - call.time, _MAX_REPEAT_DELAY) if is_repeat else 0.0
        due = self.latest_command_time if is_repeat else time
        self._outgoing.append(OutgoingMessage(message, due, delay, is_response=True))

    def _respond_to_unknown_command(
        self, session: str, method: str, params: Any, message: Message
    ) -> None:
        if method.startswith("Runtime.release"):
            # The recording does not contain the object.
            self._queue_response(message, {"result": {}})
            return
        if method == "Browser.getVersion" and self._version:
            self._queue_response(message, {"result": self._version})
            return
        if session and session not in self._sessions:
            self._queue_error(message, _SESSION_NOT_FOUND, "Session with given id not found.")
            return
        nearest = describe_nearest_command(self._commands_by_method, session, method, params)
        problem = f"{method} with these parameters is not in the recording.{nearest}"
        self.unknown_commands.append(problem)
        self._queue_error(message, _SERVER_ERROR, f"not in the recording: {problem}")

    def _queue_error(self, message: Message, code: int, text: str) -> None:
        self._queue_response(message, {"error": {"code": code, "message": text}})

    def _queue_response(self, message: Message, content: Message) -> None:
        response = {"id": message.get("id"), **content}
        if "sessionId" in message:
            response["sessionId"] = message["sessionId"]
        self._outgoing.append(OutgoingMessage(response, self.latest_command_time, is_response=True))
