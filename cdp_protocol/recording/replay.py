"""Replay of a recorded browser to clients, on a port or in place of a browser executable."""

from __future__ import annotations

import asyncio
import logging
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

from cdp_protocol.discovery.endpoint import BROWSER_PATH
from cdp_protocol.recording.clients import Client, SocketClient
from cdp_protocol.recording.debug_server import Answer, pointed_here
from cdp_protocol.recording.format import Fetched, Opened, Recording
from cdp_protocol.recording.matching import Player
from cdp_protocol.recording.steps import Played, Say, steps_of
from cdp_protocol.wire.codec import decode, encode

if TYPE_CHECKING:
    from websockets.asyncio.server import ServerConnection

log = logging.getLogger(__name__)

_AT_ONCE: Final = 0.0005  # maximum seconds between two messages that a client reads together
_AFTER_ANSWER: Final = 0.0002  # the same after a response, because the client waits for it
_UNUSED_SHOWN = 20


class ReplayingBrowser:
    """A `Front` that answers clients from a recording.

    Args:
        recording: The recording.
        speed: The speed as a multiple of the recorded speed; None for as fast as possible.
        say: Called with a sentence for each command or connection that is not in the recording.

    Attributes:
        players: The players of all connections so far.
        left: Set when a client has disconnected.
    """

    def __init__(
        self,
        recording: Recording,
        *,
        speed: float | None = None,
        say: Callable[[str], object] = log.warning,
    ) -> None:
        self._recording = recording
        self._speed = speed
        self._say = say
        self.players: list[Player] = []
        self.left = asyncio.Event()
        self._paths = {
            number: next(_paths(recording, number), "") for number in recording.connections
        }
        self._unplayed = list(self._paths)
        self._fetched: defaultdict[str, list[Fetched]] = defaultdict(list)
        for entry in recording.entries:
            if isinstance(entry, Fetched):
                self._fetched[_resource(entry.path)].append(entry)

    async def answer(self, method: str, path: str, host: str) -> Answer:
        """Return the next recorded response for a path, or repeat the last one.

        /json/version and /json/list always have a response.
        """
        resource = _resource(urlsplit(path).path)
        if known := self._fetched.get(resource):
            fetched = known.pop(0) if len(known) > 1 else known[0]
            return Answer(fetched.status, pointed_here(fetched.body, host))
        if resource == "/json/version":
            return Answer(200, self._version(host))
        if resource == "/json/list":
            return Answer(200, [])
        return Answer(404, f"{resource} is not in the recording.\n")

    async def converse(self, socket: ServerConnection, path: str) -> None:
        """Play a recorded connection to a client, or close its WebSocket if none fits the path."""
        from websockets.exceptions import ConnectionClosed

        player = self.player(urlsplit(path).path)
        if player is None:
            self._say(f"Nobody opened {path} in the recording.")
            await socket.close(1011, "not in the recording")
            return

        client = SocketClient(socket)
        try:
            async with client.listening():
                await self.play(player, client)
        except ConnectionClosed:
            pass
        finally:
            self.left.set()

    def player(self, path: str = "") -> Player | None:
        """Return a player for a new connection; None if no connection at that path was recorded.

        Args:
            path: The path of the WebSocket URL; "" for a pipe.
        """
        fitting = [number for number in self._paths if _fits(self._paths[number], path)]
        if not fitting:
            return None
        # A client may connect more often than in the recording. Then the first connection is
        # played again.
        number = next((each for each in fitting if each in self._unplayed), fitting[0])
        if number in self._unplayed:
            self._unplayed.remove(number)
        header = self._recording.header
        version = {"protocolVersion": header.protocol, "product": header.product}
        unknown = dict.fromkeys(("revision", "userAgent", "jsVersion"), "")
        player = Player(steps_of(self._recording.entries, number), {**version, **unknown})
        self.players.append(player)
        return player

    async def play(self, player: Player, client: Client) -> None:
        """Play one connection until the recorded browser closes it or the client leaves.

        Args:
            player: Matches the commands, and provides the messages to send.
            client: The client.
        """
        clock = _Clock(self._speed)
        due: list[Played] = []
        delayed: list[tuple[float, Say]] = []
        told = _Told()
        while not client.has_left:
            while (message := client.next()) is not None:
                self._hear(player, message)
                clock.heard(player.last)
            for said in player.ready():
                if isinstance(said, Say) and said.delay:
                    delayed.append((clock.now() + said.delay, said))
                else:
                    due.append(said)
            delayed.sort(key=lambda each: each[0])
            while delayed and delayed[0][0] <= clock.now():
                due.append(delayed.pop(0)[1])
            if due and clock.until(due[0].time) <= 0:
                if told.needs_a_turn(due[0]):
                    await client.have_a_turn()
                    told.had_its_turn()
                    continue  # The client may have sent a command.
                if not isinstance(due[0], Say):
                    return
                await client.send(list(_together(due, told, clock)))
                continue
            waits = [clock.until(due[0].time)] if due else []
            waits += [delayed[0][0] - clock.now()] if delayed else []
            if not await client.speaks(min(waits) if waits else player.patience()) and not waits:
                player.go_on()

    def _hear(self, player: Player, data: bytes | str) -> None:
        try:
            message = decode(data)
        except ValueError:
            message = None
        known = len(player.vain)
        player.hear(message if isinstance(message, dict) else {})
        for vain in player.vain[known:]:
            self._say(vain)

    def report(self) -> Iterator[str]:
        """Yield a sentence for each kind of difference between the replay and the recording."""
        vain = [said for player in self.players for said in player.vain]
        if vain:
            yield f"{len(vain)} commands were asked in vain, for they are not in the recording."
        unused = Counter(call.method for player in self.players for call in player.unused)
        if unused:
            total = sum(player.calls for player in self.players)
            missed = f"{unused.total()} of {total} recorded commands"
            yield f"{missed} were not asked: {_listed(unused)}."
        if self._unplayed:
            yield f"{len(self._unplayed)} of {len(self._paths)} connections were not opened."
        likened = sum((player.likened for player in self.players), Counter[str]())
        if likened:
            yield f"{likened.total()} were taken for one much like it: {_listed(likened)}."
        repeated = sum((player.repeated for player in self.players), Counter[str]())
        if repeated:
            yield f"{repeated.total()} came more often than recorded: {_listed(repeated)}."

    @property
    def is_faithful(self) -> bool:
        """Whether clients sent all recorded commands, and no command without recorded response.

        Optional commands and repeated commands do not count.
        """
        return not self._unplayed and not any(
            player.unused or player.vain for player in self.players
        )

    @property
    def path(self) -> str:
        """The path of the WebSocket URL of the browser target."""
        browsers = (path for path in self._paths.values() if path.startswith(BROWSER_PATH))
        return next(browsers, f"{BROWSER_PATH}/recorded")

    def _version(self, host: str) -> dict[str, Any]:
        return {
            "Browser": self._recording.header.product,
            "Protocol-Version": self._recording.header.protocol,
            "webSocketDebuggerUrl": f"ws://{host}{self.path}",
        }


class _Clock:
    """Schedule of the messages: each follows the last command as late as in the recording.

    Args:
        speed: The speed as a multiple of the recorded speed; None to send without delay.
    """

    def __init__(self, speed: float | None) -> None:
        self._speed = speed
        self.now = asyncio.get_running_loop().time
        self._heard = self.now()
        self._recorded: float | None = None

    def heard(self, recorded: float) -> None:
        """Note that the client just sent the command of this recorded time."""
        if recorded != self._recorded:
            self._heard, self._recorded = self.now(), recorded

    def until(self, recorded: float) -> float:
        """Return the seconds until a message of this recorded time is due; <= 0 if it is due."""
        if self._speed is None:
            return 0.0
        if self._recorded is None:
            self._recorded = recorded
        return self._heard + (recorded - self._recorded) / self._speed - self.now()


class _Told:
    """State of the last sent message: whether the client has had time to react to it.

    Without pauses, messages that arrived separately in the recording would arrive together. The
    client would then read all of them before its tasks that wait for the first one run.
    """

    def __init__(self) -> None:
        self._last: Say | None = None

    def note(self, said: Say) -> None:
        """Note that a message was sent."""
        self._last = said

    def needs_a_turn(self, coming: Played) -> bool:
        """Return whether the client needs time to react before the next message is sent."""
        last = self._last
        if last is None or (isinstance(coming, Say) and coming.is_answer and last.is_answer):
            return False
        return coming.time - last.time > (_AFTER_ANSWER if last.is_answer else _AT_ONCE)

    def had_its_turn(self) -> None:
        """Note that the client had time to react to all sent messages."""
        self._last = None


def _together(due: list[Played], told: _Told, clock: _Clock) -> Iterator[bytes]:
    """Remove and yield the due messages that the client read together in the recording."""
    while due and isinstance(due[0], Say):
        said = due.pop(0)
        assert isinstance(said, Say)
        told.note(said)
        yield encode(said.message)
        if due and (clock.until(due[0].time) > 0 or told.needs_a_turn(due[0])):
            break


def _paths(recording: Recording, number: int) -> Iterator[str]:
    for entry in recording.entries:
        if isinstance(entry, Opened) and entry.connection == number:
            yield entry.path


def _fits(recorded: str, asked: str) -> bool:
    """Return whether a connection recorded at one path can be played at another."""
    if not recorded or not asked or recorded == asked:
        return True
    return recorded.startswith(BROWSER_PATH) and asked.startswith(BROWSER_PATH)


def _resource(path: str) -> str:
    path = path.rstrip("/")
    return "/json/list" if path == "/json" else path


def _listed(counted: Counter[str]) -> str:
    shown = [f"{name} ({count})" for name, count in counted.most_common(_UNUSED_SHOWN)]
    more = len(counted) - len(shown)
    return ", ".join(shown) + (f" and {more} more" if more > 0 else "")
