"""The replay finds the recorded command for each command, and the messages that may follow."""

from __future__ import annotations

from typing import Any

import pytest

from cdp_protocol.recording.command_similarity import similarity
from cdp_protocol.recording.connection_player import ConnectionPlayer
from cdp_protocol.recording.file_format import ConnectionEnd, Entry, Message, RecordedMessage
from cdp_protocol.recording.recorded_steps import OutgoingClose, OutgoingMessage, build_steps
from cdp_protocol.recording.secret_patterns import MASK

ID = "0a1b2c3d"


class Tape:
    """A recording, written as a test reads."""

    def __init__(self) -> None:
        self._entries: list[Entry] = []
        self._ids = 0
        self._time = 0.0

    def call(self, method: str, result: Message | None = None, **params: Any) -> int:
        """The client sends a command; with a result the browser answers at once."""
        self._ids += 1
        self.add_message("client", {"id": self._ids, "method": method, "params": params})
        if result is not None:
            self.response(self._ids, result)
        return self._ids

    def response(self, number: int, result: Message | None = None) -> None:
        self.add_message("browser", {"id": number, "result": result or {}})

    def event(self, method: str, **params: Any) -> None:
        self.add_message("browser", {"method": method, "params": params})

    def end(self) -> None:
        self._entries.append(ConnectionEnd(self._time, 0, "browser", "it crashed"))

    def create_player(self) -> ConnectionPlayer:
        return ConnectionPlayer(build_steps(self._entries, 0))

    def add_message(self, side: Any, message: Message) -> None:
        self._time += 0.001
        self._entries.append(RecordedMessage(self._time, 0, side, message))


def send_and_receive(
    player: ConnectionPlayer, number: int, method: str, **params: Any
) -> list[Any]:
    """Send a command; return the messages after it: names of events, (id, result) of answers."""
    player.match_command({"id": number, "method": method, "params": params})
    return due_messages(player)


def due_messages(player: ConnectionPlayer) -> list[Any]:
    return [_summarize(each) for each in player.pop_due_messages()]


def _summarize(played: OutgoingMessage | OutgoingClose) -> Any:
    if isinstance(played, OutgoingClose):
        return played.reason
    message = played.message
    if "id" not in message:
        return message["method"]
    return message["id"], message.get("result", message.get("error"))


@pytest.fixture
def tape() -> Tape:
    return Tape()


def test_an_answer_has_the_clients_own_id(tape: Tape) -> None:
    tape.call("A.a", {"x": 1})

    assert send_and_receive(tape.create_player(), 77, "A.a") == [(77, {"x": 1})]


def test_an_event_is_sent_after_the_commands_before_it(tape: Tape) -> None:
    tape.event("A.first")
    tape.call("A.a", {})
    tape.call("A.b", {})
    tape.event("A.second")
    player = tape.create_player()

    assert due_messages(player) == ["A.first"]
    assert send_and_receive(player, 1, "A.a") == [(1, {})]
    assert send_and_receive(player, 2, "A.b") == [(2, {}), "A.second"]


def test_commands_in_another_order_are_answered_each_with_its_own(tape: Tape) -> None:
    first, second = tape.call("A.a", n=1), tape.call("A.a", n=2)
    tape.response(first, {"of": 1})
    tape.response(second, {"of": 2})
    player = tape.create_player()

    assert send_and_receive(player, 1, "A.a", n=2) == []
    assert send_and_receive(player, 2, "A.a", n=1) == [(2, {"of": 1}), (1, {"of": 2})]


def test_a_command_in_order_is_answered_although_a_later_one_is_missing(
    tape: Tape,
) -> None:
    first = tape.call("A.a")
    tape.call("A.b", {})
    tape.response(first, {"x": 1})

    assert send_and_receive(tape.create_player(), 1, "A.a") == [(1, {"x": 1})]


def test_an_event_is_not_sent_before_the_command_that_it_followed(tape: Tape) -> None:
    first = tape.call("A.a")
    tape.call("A.b", {})
    tape.event("A.happened")
    tape.response(first)
    player = tape.create_player()

    assert send_and_receive(player, 1, "A.a") == []
    assert send_and_receive(player, 2, "A.b") == [(2, {}), "A.happened", (1, {})]


def test_a_client_that_waits_for_a_missing_message_gets_the_next_ones(tape: Tape) -> None:
    tape.call("A.missing", {})
    tape.event("A.happened")
    tape.call("A.b", {"x": 1})
    player = tape.create_player()

    assert send_and_receive(player, 1, "A.b") == []
    assert player.max_wait_for_missing_commands() is not None
    assert (player.max_wait_for_missing_commands() or 0) < 0.5
    player.skip_missing_commands()
    assert due_messages(player) == ["A.happened", (1, {"x": 1})]
    assert [call.method for call in player.unused_commands] == ["A.missing"]


def test_a_late_command_is_answered_late(tape: Tape) -> None:
    tape.call("A.late", {"x": 1})
    tape.call("A.b", {})
    player = tape.create_player()
    send_and_receive(player, 1, "A.b")
    player.skip_missing_commands()
    due_messages(player)

    assert send_and_receive(player, 2, "A.late") == [(2, {"x": 1})]
    assert player.unused_commands == []


def test_an_idle_client_gets_no_messages_that_follow_its_next_command(tape: Tape) -> None:
    tape.call("A.a", {})
    tape.call("Input.insertText", {}, text="x")
    tape.event("A.happened")
    player = tape.create_player()
    send_and_receive(player, 1, "A.a")

    assert player.max_wait_for_missing_commands() is None


def test_an_additional_poll_gets_the_last_answer(tape: Tape) -> None:
    tape.call("A.poll", {"x": 1})
    tape.call("A.poll", {"x": 2})
    player = tape.create_player()

    assert send_and_receive(player, 1, "A.poll") == [(1, {"x": 1})]
    assert send_and_receive(player, 2, "A.poll") == [(2, {"x": 2})]
    assert send_and_receive(player, 3, "A.poll") == [(3, {"x": 2})]
    assert player.repeat_counts == {"A.poll": 1}


def test_a_poll_too_many_does_not_take_the_one_after_the_next_deed(tape: Tape) -> None:
    tape.call("A.poll", {"x": "before"})
    tape.call("Page.navigate", {}, url="u")
    tape.call("A.poll", {"x": "after"})
    player = tape.create_player()
    send_and_receive(player, 1, "A.poll")

    assert send_and_receive(player, 2, "A.poll") == [(2, {"x": "before"})]
    assert send_and_receive(player, 3, "Page.navigate", url="u") == [(3, {})]
    assert send_and_receive(player, 4, "A.poll") == [(4, {"x": "after"})]


def test_an_additional_poll_takes_its_recorded_time(tape: Tape) -> None:
    number = tape.call("A.poll")
    tape._time += 0.2
    tape.response(number)
    player = tape.create_player()
    send_and_receive(player, 1, "A.poll")

    player.match_command({"id": 2, "method": "A.poll", "params": {}})

    (again,) = player.pop_due_messages()
    assert isinstance(again, OutgoingMessage)
    assert again.delay == pytest.approx(0.201, abs=0.01)


def test_a_different_token_is_learned_and_replaced_from_then_on(tape: Tape) -> None:
    tape.call("A.open", {"path": f"/made/{ID}"}, name=f"world-{ID}")
    tape.call("A.use", {"ok": True}, name=f"world-{ID}")
    player = tape.create_player()

    assert send_and_receive(player, 1, "A.open", name="world-ffff0000") == [
        (1, {"path": "/made/ffff0000"})
    ]
    assert send_and_receive(player, 2, "A.use", name="world-ffff0000") == [(2, {"ok": True})]
    assert player.similar_counts == {"A.open": 1}


def test_paths_that_differ_are_the_same_command(tape: Tape) -> None:
    tape.call("Browser.setDownloadBehavior", {}, downloadPath="/tmp/a/b c")
    player = tape.create_player()

    assert send_and_receive(player, 1, "Browser.setDownloadBehavior", downloadPath="/home/x") == [
        (1, {})
    ]


def test_a_masked_value_matches_any_value(tape: Tape) -> None:
    tape.call("Input.insertText", {"x": 1}, text="***")

    assert send_and_receive(tape.create_player(), 1, "Input.insertText", text="hush") == [
        (1, {"x": 1})
    ]


def test_a_banner_of_stars_is_many_masks_and_matched_quickly(tape: Tape) -> None:
    banner = f"/{'*' * 10_000}/"
    tape.call("Runtime.evaluate", {"n": 1}, expression=f"{banner} title({MASK})")
    player = tape.create_player()

    text = send_and_receive(player, 1, "Runtime.evaluate", expression=f"{banner} body()")
    assert "not in the recording" in text[0][1]["message"]
    assert send_and_receive(player, 2, "Runtime.evaluate", expression=f"{banner} title('a')") == [
        (2, {"n": 1})
    ]


@pytest.mark.parametrize(
    ("expected", "fits"),
    [("ab", False), ("abab", True), ("abxab", True), ("aab", False), ("abxa", False)],
)
def test_text_around_a_mask_must_match_once_on_each_side(expected: str, fits: bool) -> None:
    assert (similarity(f"ab{MASK}ab", expected) == 1.0) is fits


def test_different_text_is_another_command(tape: Tape) -> None:
    tape.call("Page.navigate", {}, url="http://a.test/shop")
    player = tape.create_player()

    ((number, error),) = send_and_receive(player, 1, "Page.navigate", url="http://a.test/cart")

    assert (number, error["code"]) == (1, -32000)
    assert "not in the recording" in error["message"]
    assert "http://a.test/shop" in player.unknown_commands[0]


def test_ids_and_sessions_of_other_types_are_refused_as_by_chromium(tape: Tape) -> None:
    tape.call("A.a", {})
    player = tape.create_player()
    wrong: list[dict[str, Any]] = [{"id": None}, {"id": [1]}, {"id": 1, "sessionId": {}}]

    for each in wrong:
        player.match_command({"method": "A.a", **each})

    results = [
        played for played in player.pop_due_messages() if isinstance(played, OutgoingMessage)
    ]
    assert [each.message["error"]["code"] for each in results] == [-32600] * 3


def test_commands_without_an_answer_are_not_in_the_recording(tape: Tape) -> None:
    for text in ({"id": [1], "method": "A.a"}, {"id": 1, "method": 5}, {"id": 2, "sessionId": {}}):
        tape.add_message("client", text)
    tape.add_message("browser", {"id": [1], "error": {}})
    tape.call("A.b", {"n": 1})

    assert send_and_receive(tape.create_player(), 1, "A.b") == [(1, {"n": 1})]


def test_an_unknown_command_is_refused_and_the_nearest_is_named(tape: Tape) -> None:
    tape.call("Page.reload", {})
    player = tape.create_player()

    ((_, error),) = send_and_receive(player, 1, "Page.reloadd")

    assert "The nearest is Page.reload." in error["message"]
    assert [call.method for call in player.unused_commands] == ["Page.reload"]


def test_an_unknown_session_is_refused_as_by_chromium(tape: Tape) -> None:
    tape.call("A.a", {})
    player = tape.create_player()
    player.match_command({"id": 1, "method": "A.a", "sessionId": "S"})

    (text,) = player.pop_due_messages()

    assert isinstance(text, OutgoingMessage)
    assert text.message["error"]["message"] == "Session with given id not found."
    assert text.message["sessionId"] == "S"


def test_an_unknown_command_is_refused(tape: Tape) -> None:
    player = tape.create_player()
    player.match_command({})

    (text,) = player.pop_due_messages()

    assert isinstance(text, OutgoingMessage)
    assert text.message["error"]["code"] == -32600


def test_a_missing_health_check_delays_no_event(tape: Tape) -> None:
    tape.call("Browser.getVersion", {"product": "Chrome/1"})
    tape.event("A.happened")

    assert due_messages(tape.create_player()) == ["A.happened"]


def test_the_end_of_the_connection_is_replayed_in_order(tape: Tape) -> None:
    tape.call("Browser.close", {})
    tape.end()
    player = tape.create_player()

    assert due_messages(player) == []
    assert send_and_receive(player, 1, "Browser.close") == [(1, {}), "it crashed"]


def test_a_command_that_was_never_answered_is_not_answered(tape: Tape) -> None:
    tape.call("A.hangs")
    tape.event("A.happened")

    assert send_and_receive(tape.create_player(), 1, "A.hangs") == ["A.happened"]


def test_thousands_of_commands_are_played_as_fast_as_a_few(tape: Tape) -> None:
    many = 5_000
    for number in range(many):
        tape.call("Runtime.evaluate", {"n": number}, expression=f"f({number})")
    player = tape.create_player()

    for number in range(many):
        text = send_and_receive(player, number, "Runtime.evaluate", expression=f"f({number})")
        assert text == [(number, {"n": number})]
        assert player.max_wait_for_missing_commands() is None or number < many - 1


def test_thousands_of_similar_commands_each_find_their_own(tape: Tape) -> None:
    many = 1_000
    for number in range(many):
        tape.call("A.a", {"n": number}, token=f"{number:08}aa", kind="poll")
    player = tape.create_player()

    answers = [
        send_and_receive(player, n, "A.a", token=f"{n:08}bb", kind="poll") for n in range(many)
    ]

    assert answers == [[(number, {"n": number})] for number in range(many)]


def test_a_similar_poll_gets_the_last_answer_and_then_matches_the_next_one(tape: Tape) -> None:
    for number in (1, 2):
        tape.call("A.poll", {"n": number}, at="12345a")
        tape.call("Page.navigate", {}, url=f"https://{number}.test/")
    player = tape.create_player()

    first = [send_and_receive(player, n, "A.poll", at=f"12345{'bcdefg'[n]}") for n in range(5)]

    assert [answer[0][1]["n"] for answer in first if answer] == [1] * 4
