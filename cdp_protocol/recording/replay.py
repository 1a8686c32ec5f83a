"""Replay of a recorded browser to clients, on a port or in place of a browser executable."""

from __future__ import annotations

import asyncio
import logging
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

from cdp_protocol.discovery.endpoint import BROWSER_PATH
from cdp_protocol.recording.connection_player import ConnectionPlayer
from cdp_protocol.recording.file_format import ConnectionStart, RecordedHttpResponse, Recording
from cdp_protocol.recording.recorded_steps import Outgoing, OutgoingMessage, build_steps
from cdp_protocol.recording.remote_debugging_server import ServerResponse, redirect_websocket_urls
from cdp_protocol.recording.replay_clients import ReplayClient, SocketClient
from cdp_protocol.wire.json_codec import decode, encode

if TYPE_CHECKING:
    from websockets.asyncio.server import ServerConnection

log = logging.getLogger(__name__)

_MAX_TOGETHER: Final = 0.0005  # maximum seconds between two messages that a client reads together
_MAX_AFTER_RESPONSE: Final = 0.0002  # the same after a response, because the client waits for it
_MAX_LISTED = 20


class ReplayingBrowser:
    """A `RequestHandler` that answers clients from a recording.

    Args:
        recording: The recording.
        speed: The speed as a multiple of the recorded speed; None for as fast as possible.
        report_problem: Called with a sentence for each command or connection that is not in the
            recording.

    Attributes:
        players: The players of all connections so far.
        client_disconnected: Set when a client has disconnected.
    """

    def __init__(
        self,
        recording: Recording,
        *,
        speed: float | None = None,
        report_problem: Callable[[str], object] = log.warning,
    ) -> None:
        self._recording = recording
        self._speed = speed
        self._report_problem = report_problem
        self.players: list[ConnectionPlayer] = []
        self.client_disconnected = asyncio.Event()
        self._paths_by_connection = {
            number: next(_recorded_connection_paths(recording, number), "")
            for number in recording.connection_numbers
        }
        self._unplayed_connections = list(self._paths_by_connection)
        self._http_responses: defaultdict[str, list[RecordedHttpResponse]] = defaultdict(list)
        for entry in recording.entries:
            if isinstance(entry, RecordedHttpResponse):
                self._http_responses[_strip_slash_and_complete_json_path(entry.path)].append(entry)

    async def respond(self, method: str, path: str, host: str) -> ServerResponse:
        """Return the next recorded response for a path, or repeat the last one.

        /json/version and /json/list always have a response.
        """
        resource = _strip_slash_and_complete_json_path(urlsplit(path).path)
        if responses := self._http_responses.get(resource):
            response = responses.pop(0) if len(responses) > 1 else responses[0]
            return ServerResponse(response.status, redirect_websocket_urls(response.body, host))
        if resource == "/json/version":
            return ServerResponse(200, self._make_version_response(host))
        if resource == "/json/list":
            return ServerResponse(200, [])
        return ServerResponse(404, f"{resource} is not in the recording.\n")

    async def serve_socket(self, socket: ServerConnection, path: str) -> None:
        """Play a recorded connection to a client, or close its WebSocket if none fits the path."""
        from websockets.exceptions import ConnectionClosed

        player = self.create_player(urlsplit(path).path)
        if player is None:
            self._report_problem(f"The recording has no connection to {path}.")
            await socket.close(1011, "not in the recording")
            return

        client = SocketClient(socket)
        try:
            async with client.reading_messages():
                await self.play(player, client)
        except ConnectionClosed:
            pass
        finally:
            self.client_disconnected.set()

    def create_player(self, path: str = "") -> ConnectionPlayer | None:
        """Return a player for a new connection; None if no connection at that path was recorded.

        Args:
            path: The path of the WebSocket URL; "" for a pipe.
        """
        playable = [
            number
            for number in self._paths_by_connection
            if _can_play_at(self._paths_by_connection[number], path)
        ]
        if not playable:
            return None
        # A client may connect more often than in the recording. Then the first connection is
        # played again.
        number = next(
            (each for each in playable if each in self._unplayed_connections), playable[0]
        )
        if number in self._unplayed_connections:
            self._unplayed_connections.remove(number)
        header = self._recording.header
        version = {"protocolVersion": header.protocol, "product": header.product}
        empty_fields = dict.fromkeys(("revision", "userAgent", "jsVersion"), "")
        player = ConnectionPlayer(
            build_steps(self._recording.entries, number), {**version, **empty_fields}
        )
        self.players.append(player)
        return player

    async def play(self, player: ConnectionPlayer, client: ReplayClient) -> None:
        """Play one connection until the recorded browser closes it or the client leaves.

        Args:
            player: Matches the commands, and provides the messages to send.
            client: The client.
        """
        clock = _ReplayClock(self._speed)
        due: list[Outgoing] = []
        delayed: list[tuple[float, OutgoingMessage]] = []
        last_sent = _LastSentMessage()
        while not client.has_disconnected:
            while (message := client.pop_message()) is not None:
                self._match_client_message(player, message)
                clock.note_command_arrived(player.latest_command_time)
            for outgoing in player.pop_due_messages():
                if isinstance(outgoing, OutgoingMessage) and outgoing.delay:
                    delayed.append((clock.now() + outgoing.delay, outgoing))
                else:
                    due.append(outgoing)
            delayed.sort(key=lambda each: each[0])
            while delayed and delayed[0][0] <= clock.now():
                due.append(delayed.pop(0)[1])
            if due and clock.seconds_until(due[0].time) <= 0:
                if last_sent.client_needs_reaction_time(due[0]):
                    await client.wait_for_client_reaction()
                    last_sent.note_client_reacted()
                    continue  # The client may have sent a command.
                if not isinstance(due[0], OutgoingMessage):
                    return
                await client.send(list(_pop_message_batch(due, last_sent, clock)))
                continue
            waits = [clock.seconds_until(due[0].time)] if due else []
            waits += [delayed[0][0] - clock.now()] if delayed else []
            if (
                not await client.wait_for_message_or_disconnect(
                    min(waits) if waits else player.max_wait_for_missing_commands()
                )
                and not waits
            ):
                player.skip_missing_commands()

    def _match_client_message(self, player: ConnectionPlayer, data: bytes | str) -> None:
        try:
            message = decode(data)
        except ValueError:
            message = None
        known_count = len(player.unknown_commands)
        player.match_command(message if isinstance(message, dict) else {})
        for problem in player.unknown_commands[known_count:]:
            self._report_problem(problem)

    def describe_differences(self) -> Iterator[str]:
        """Yield a sentence for each kind of difference between the replay and the recording."""
        unknown = [problem for player in self.players for problem in player.unknown_commands]
        if unknown:
            yield f"{len(unknown)} commands are not in the recording."
        unused = Counter(call.method for player in self.players for call in player.unused_commands)
        if unused:
            total = sum(player.recorded_command_count for player in self.players)
            missed = f"{unused.total()} of {total} recorded commands"
            yield f"{missed} were not sent: {_format_counts(unused)}."
        if self._unplayed_connections:
            connections = f"{len(self._unplayed_connections)} of {len(self._paths_by_connection)}"
            yield f"{connections} connections were not opened."
        similar = sum((player.similar_counts for player in self.players), Counter[str]())
        if similar:
            yield f"{similar.total()} matched a similar command: {_format_counts(similar)}."
        repeats = sum((player.repeat_counts for player in self.players), Counter[str]())
        if repeats:
            counts = _format_counts(repeats)
            yield f"{repeats.total()} were sent more often than recorded: {counts}."

    @property
    def is_complete(self) -> bool:
        """Whether clients sent each recorded command, and only commands with a recorded response.

        An optional command may be missing. A command may arrive more often than recorded.
        """
        return not self._unplayed_connections and not any(
            player.unused_commands or player.unknown_commands for player in self.players
        )

    @property
    def browser_websocket_path(self) -> str:
        """The path of the WebSocket URL of the browser target."""
        browsers = (
            path for path in self._paths_by_connection.values() if path.startswith(BROWSER_PATH)
        )
        return next(browsers, f"{BROWSER_PATH}/recorded")

    def _make_version_response(self, host: str) -> dict[str, Any]:
        return {
            "Browser": self._recording.header.product,
            "Protocol-Version": self._recording.header.protocol,
            "webSocketDebuggerUrl": f"ws://{host}{self.browser_websocket_path}",
        }


class _ReplayClock:
    """Schedule of the messages: each follows the last command as late as in the recording.

    Args:
        speed: The speed as a multiple of the recorded speed; None to send without delay.
    """

    def __init__(self, speed: float | None) -> None:
        self._speed = speed
        self.now = asyncio.get_running_loop().time
        self._command_time = self.now()
        self._recorded_time: float | None = None

    def note_command_arrived(self, recorded_time: float) -> None:
        """Note that the client just sent the command of this recorded time."""
        if recorded_time != self._recorded_time:
            self._command_time, self._recorded_time = self.now(), recorded_time

    def seconds_until(self, recorded_time: float) -> float:
        """Return the seconds until a message of this recorded time is due; <= 0 if it is due."""
        if self._speed is None:
            return 0.0
        if self._recorded_time is None:
            self._recorded_time = recorded_time
        return self._command_time + (recorded_time - self._recorded_time) / self._speed - self.now()


class _LastSentMessage:
    """State of the last sent message: whether the client has had time to react to it.

    Without pauses, messages that arrived separately in the recording would arrive together. The
    client would then read all of them before its tasks that wait for the first one run.
    """

    def __init__(self) -> None:
        self._last_message: OutgoingMessage | None = None

    def note_sent(self, message: OutgoingMessage) -> None:
        """Note that a message was sent."""
        self._last_message = message

    def client_needs_reaction_time(self, next_message: Outgoing) -> bool:
        """Return whether the client needs time to react before the next message is sent."""
        last = self._last_message
        if last is None or (
            isinstance(next_message, OutgoingMessage)
            and next_message.is_response
            and last.is_response
        ):
            return False
        return next_message.time - last.time > (
            _MAX_AFTER_RESPONSE if last.is_response else _MAX_TOGETHER
        )

    def note_client_reacted(self) -> None:
        """Note that the client had time to react to all sent messages."""
        self._last_message = None


def _pop_message_batch(
    due: list[Outgoing], last_sent: _LastSentMessage, clock: _ReplayClock
) -> Iterator[bytes]:
    """Remove and yield the due messages that the client read together in the recording."""
    while due and isinstance(due[0], OutgoingMessage):
        message = due.pop(0)
        assert isinstance(message, OutgoingMessage)
        last_sent.note_sent(message)
        yield encode(message.message)
        if due and (
            clock.seconds_until(due[0].time) > 0 or last_sent.client_needs_reaction_time(due[0])
        ):
            break


def _recorded_connection_paths(recording: Recording, number: int) -> Iterator[str]:
    for entry in recording.entries:
        if isinstance(entry, ConnectionStart) and entry.connection == number:
            yield entry.path


def _can_play_at(recorded_path: str, requested_path: str) -> bool:
    """Return whether a connection recorded at one path can be played at another."""
    if not recorded_path or not requested_path or recorded_path == requested_path:
        return True
    return recorded_path.startswith(BROWSER_PATH) and requested_path.startswith(BROWSER_PATH)


def _strip_slash_and_complete_json_path(path: str) -> str:
    path = path.rstrip("/")
    return "/json/list" if path == "/json" else path


def _format_counts(counts: Counter[str]) -> str:
    items = [f"{name} ({count})" for name, count in counts.most_common(_MAX_LISTED)]
    more = len(counts) - len(items)
    return ", ".join(items) + (f" and {more} more" if more > 0 else "")
