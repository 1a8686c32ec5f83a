"""Writing a recording beside a conversation."""

from __future__ import annotations

import logging
import os
import stat
import subprocess
import sys
from pathlib import Path

import orjson
import pytest

from cdp_protocol import Connection, ConnectionLost
from cdp_protocol.recording.format import Closed, Opened, Said, read
from cdp_protocol.recording.recorder import Recorder, RecordingTransport
from tests.unit.cdp.fake_transport import FakeTransport


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "recording.jsonl"


def written(file: Path) -> bytes:
    return file.read_bytes()


async def test_a_conversation_is_written_as_it_went(file: Path) -> None:
    recorder = Recorder(file)
    recorder.begin(product="Chrome/1", endpoint="ws://me:hush@127.0.0.1:1/devtools?token=hush")
    transport = RecordingTransport(FakeTransport(), recorder, path="/devtools/browser/1?token=hush")
    async with Connection(transport) as connection:
        await connection.root.send("Browser.getVersion")
    recorder.close()

    recording = read(file)
    beginning, call, answer, closed = recording.entries
    assert (recording.header.product, recording.header.protocol) == ("Chrome/1", "1.3")
    assert b"hush" not in written(file)
    assert isinstance(beginning, Opened)
    assert beginning.path == "/devtools/browser/1"
    assert isinstance(call, Said)
    assert call.message == {"id": 1, "method": "Browser.getVersion", "params": {}}
    assert isinstance(answer, Said)
    assert (answer.side, answer.message) == ("browser", {"id": 1, "result": {}})
    assert isinstance(closed, Closed)
    assert closed.side == "client"
    assert beginning.time <= call.time <= answer.time <= closed.time


async def test_connections_are_numbered_and_the_browsers_end_is_told(file: Path) -> None:
    recorder = Recorder(file)
    fakes = [FakeTransport(), FakeTransport()]
    for fake in fakes:
        transport = RecordingTransport(fake, recorder)
        fake.die("the browser crashed")
        with pytest.raises(ConnectionLost):
            await transport.receive()
        await transport.close()
    recorder.close()

    ends = [each for each in read(file).entries if isinstance(each, Closed)]
    assert [(end.connection, end.side, end.reason) for end in ends] == [
        (0, "browser", "the browser crashed"),
        (1, "browser", "the browser crashed"),
    ]


async def test_what_is_sent_is_what_was_given_and_what_is_written_is_masked(file: Path) -> None:
    recorder, fake = Recorder(file), FakeTransport()
    transport = RecordingTransport(fake, recorder)

    await transport.send('{"id":1,"method":"Input.insertText","params":{"text":"hush"}}')
    recorder.close()

    assert fake.sent[0]["params"] == {"text": "hush"}
    assert b"hush" not in written(file)


async def test_what_is_no_json_is_kept_as_text(file: Path) -> None:
    recorder = Recorder(file)
    number = recorder.opened()
    for odd in ("hello", "[1]", '{"id":', b"\xff\x00", '{"id":1,\n"method":"A.b"}'):
        recorder.said(number, "client", odd)
    recorder.close()

    said = [each for each in read(file).entries if isinstance(each, Said)]
    assert [each.text for each in said[:3]] == ["hello", "[1]", '{"id":']
    assert said[3].text == "�\0"
    assert said[4].message == {"id": 1, "method": "A.b"}


def test_the_file_is_its_owners_alone_even_if_it_was_there(file: Path) -> None:
    file.write_text("old")
    file.chmod(0o644)

    Recorder(file).close()

    if os.name == "posix":
        assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert read(file).entries == []


def test_a_file_that_cannot_be_written_is_an_error_at_once(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="directory"):
        Recorder(tmp_path)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no full disk")
async def test_a_full_disk_ends_the_recording_and_not_the_connection(
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.WARNING)
    recorder = Recorder(Path("/dev/full"))
    async with Connection(RecordingTransport(FakeTransport(), recorder)) as connection:
        while not recorder.failed:
            await connection.root.send("A.b", {"text": "x" * 1000})
        assert await connection.root.send("A.b") == {}
    recorder.close()

    (warning,) = caplog.messages
    assert "ends here" in warning
    assert "No space left" in warning


def test_what_was_said_before_an_exception_ended_the_process_is_there(file: Path) -> None:
    program = f"""
from pathlib import Path
from cdp_protocol.recording.recorder import Recorder
recorder = Recorder(Path({str(file)!r}))
recorder.said(recorder.opened(), "browser", '{{"method":"A.b"}}')
raise RuntimeError
"""
    ended = subprocess.run([sys.executable, "-c", program], capture_output=True, check=False)

    assert ended.returncode == 1
    said = read(file).entries[1]
    assert isinstance(said, Said)
    assert said.message == {"method": "A.b"}


async def test_a_message_of_ten_megabytes_is_taken_without_waiting(file: Path) -> None:
    recorder, fake = Recorder(file), FakeTransport()
    transport = RecordingTransport(fake, recorder)
    large = orjson.dumps({"method": "A.b", "params": {"data": "A" * 10_000_000}})
    fake.push(large)

    assert await transport.receive() is large
    recorder.close()

    (_, said) = read(file).entries
    assert isinstance(said, Said)
    assert said.message == orjson.loads(large)
