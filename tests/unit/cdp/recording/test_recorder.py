"""Writing a recording during a session."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
import threading
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import orjson
import pytest

from cdp_protocol import CallTimeout, Connection, ConnectionLost, EndpointError
from cdp_protocol.recording.file_format import (
    ConnectionEnd,
    ConnectionStart,
    RecordedHttpResponse,
    RecordedMessage,
    read_recording,
)
from cdp_protocol.recording.masking import MessageMasker
from cdp_protocol.recording.recorder import Recorder, RecordingTransport
from tests.unit.cdp.fake_transport import FakeTransport


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "recording.jsonl"


def read_bytes(file: Path) -> bytes:
    return file.read_bytes()


async def test_a_session_is_written_in_order(file: Path) -> None:
    recorder = Recorder(file)
    recorder.write_header(
        product="Chrome/1", endpoint="ws://me:hush@127.0.0.1:1/devtools?token=hush"
    )
    transport = RecordingTransport(FakeTransport(), recorder, path="/devtools/browser/1?token=hush")
    async with Connection(transport) as connection:
        await connection.root.send("Browser.getVersion")
    recorder.close()

    recording = read_recording(file)
    beginning, call, answer, closed = recording.entries
    assert (recording.header.product, recording.header.protocol) == ("Chrome/1", "1.3")
    assert b"hush" not in read_bytes(file)
    assert isinstance(beginning, ConnectionStart)
    assert beginning.path == "/devtools/browser/1"
    assert isinstance(call, RecordedMessage)
    assert call.message == {"id": 1, "method": "Browser.getVersion", "params": {}}
    assert isinstance(answer, RecordedMessage)
    assert (answer.side, answer.message) == ("browser", {"id": 1, "result": {}})
    assert isinstance(closed, ConnectionEnd)
    assert closed.side == "client"
    assert beginning.time <= call.time <= answer.time <= closed.time


async def test_connections_are_numbered_and_the_end_of_the_browser_is_recorded(file: Path) -> None:
    recorder = Recorder(file)
    fakes = [FakeTransport(), FakeTransport()]
    for fake in fakes:
        transport = RecordingTransport(fake, recorder)
        fake.disconnect("the browser crashed")
        with pytest.raises(ConnectionLost):
            await transport.receive()
        await transport.close()
    recorder.close()

    ends = [each for each in read_recording(file).entries if isinstance(each, ConnectionEnd)]
    assert [(end.connection, end.side, end.reason) for end in ends] == [
        (0, "browser", "the browser crashed"),
        (1, "browser", "the browser crashed"),
    ]


async def test_messages_are_forwarded_unchanged_and_written_masked(file: Path) -> None:
    recorder, fake = Recorder(file), FakeTransport()
    transport = RecordingTransport(fake, recorder)

    await transport.send('{"id":1,"method":"Input.insertText","params":{"text":"hush"}}')
    recorder.close()

    assert fake.sent[0]["params"] == {"text": "hush"}
    assert b"hush" not in read_bytes(file)


async def test_a_message_that_is_not_json_is_recorded_as_text(file: Path) -> None:
    recorder = Recorder(file)
    number = recorder.record_connection_start()
    for odd in ("hello", "[1]", '{"id":', b"\xff\x00", '{"id":1,\n"method":"A.b"}'):
        recorder.record_message(number, "client", odd)
    recorder.close()

    results = [each for each in read_recording(file).entries if isinstance(each, RecordedMessage)]
    assert [each.text for each in results[:3]] == ["hello", "[1]", '{"id":']
    assert results[3].text == "�\0"
    assert results[4].message == {"id": 1, "method": "A.b"}


def test_the_file_is_its_owners_alone_even_if_it_was_there(file: Path) -> None:
    file.write_text("old")
    file.chmod(0o644)

    recorder = Recorder(file)
    recorder.write_header()
    recorder.close()

    if os.name == "posix":
        assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert read_recording(file).entries == []


def test_an_existing_file_stays_until_the_first_message(file: Path) -> None:
    file.write_text("old")

    Recorder(file).close()

    assert file.read_text() == "old"


def test_the_header_has_the_time_from_which_the_times_count(file: Path) -> None:
    recorder = Recorder(file)
    created = datetime.now(UTC)
    while datetime.now(UTC) - created < timedelta(milliseconds=2):
        pass
    recorder.write_header()
    recorder.close()
    assert datetime.fromisoformat(read_recording(file).header.started) <= created


def test_a_file_that_cannot_be_written_is_an_error_at_once(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="not a regular file"):
        Recorder(tmp_path)
    with pytest.raises(OSError, match="No such file"):
        Recorder(tmp_path / "no" / "file")


@pytest.mark.skipif(sys.platform == "win32", reason="there are no such files")
@pytest.mark.parametrize("use", [Recorder, read_recording])
def test_a_file_that_is_not_regular_is_refused_without_waiting(
    use: Callable[[Path], object], tmp_path: Path
) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe, 0o622)

    with pytest.raises(OSError, match="not a regular file"):
        use(pipe)
    with pytest.raises(OSError, match="not a regular file"):
        use(Path(os.devnull))

    assert stat.S_IMODE(pipe.stat().st_mode) == 0o622 & ~_umask()
    assert stat.S_IMODE(Path(os.devnull).stat().st_mode) != 0o600


def _umask() -> int:
    os.umask(mask := os.umask(0o077))
    return mask


def test_two_do_not_record_in_one_file(file: Path) -> None:
    first = Recorder(file)
    first.record_message(first.record_connection_start(), "browser", '{"method":"A.b"}')

    with pytest.raises(OSError, match="another recorder writes to it"):
        Recorder(file)
    first.close()

    assert len(read_recording(file).entries) == 2
    Recorder(file).close()


@pytest.mark.skipif(sys.platform == "win32", reason="files have no limit there")
def test_a_full_disk_ends_the_recording_after_a_whole_line_and_not_the_connection(
    file: Path,
) -> None:
    program = f"""
import asyncio, logging, resource
from pathlib import Path
from cdp_protocol import Connection
from cdp_protocol.recording.recorder import Recorder, RecordingTransport
from tests.unit.cdp.fake_transport import FakeTransport

async def main():
    recorder = Recorder(Path({str(file)!r}))
    async with Connection(RecordingTransport(FakeTransport(), recorder)) as connection:
        limits = resource.getrlimit(resource.RLIMIT_FSIZE)
        resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, limits[1]))
        while not recorder.failure:
            await connection.root.send("A.b", {{"text": "x" * 500}})
        assert await connection.root.send("A.b") == {{}}
    recorder.close()
    resource.setrlimit(resource.RLIMIT_FSIZE, limits)  # for what measures coverage

logging.basicConfig(format="%(message)s")
asyncio.run(main())
"""
    ended = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=False
    )

    assert ended.returncode == 0, ended.stderr
    (warning,) = ended.stderr.splitlines()
    assert "stopped" in warning
    assert "File too large" in warning
    assert 2 < len(read_recording(file).entries) < 100
    assert read_bytes(file).endswith(b"\n")


def test_messages_before_an_exception_that_ended_the_process_are_written(file: Path) -> None:
    program = f"""
from pathlib import Path
from cdp_protocol.recording.recorder import Recorder
recorder = Recorder(Path({str(file)!r}))
recorder.record_message(recorder.record_connection_start(), "browser", '{{"method":"A.b"}}')
raise RuntimeError
"""
    ended = subprocess.run([sys.executable, "-c", program], capture_output=True, check=False)

    assert ended.returncode == 1
    result = read_recording(file).entries[1]
    assert isinstance(result, RecordedMessage)
    assert result.message == {"method": "A.b"}


async def test_a_message_of_ten_megabytes_is_recorded_without_waiting(file: Path) -> None:
    recorder, fake = Recorder(file), FakeTransport()
    transport = RecordingTransport(fake, recorder)
    large = orjson.dumps({"method": "A.b", "params": {"data": "A" * 10_000_000}})
    fake.send_raw(large)

    assert await transport.receive() is large
    recorder.close()

    (_, result) = read_recording(file).entries
    assert isinstance(result, RecordedMessage)
    assert result.message == orjson.loads(large)


class ThreadNotingMasker(MessageMasker):
    """A masker that records the threads in which it masks."""

    def __init__(self) -> None:
        super().__init__()
        self.threads: set[int] = set()

    def mask_encoded_message(self, data: bytes) -> bytes:
        self.threads.add(threading.get_ident())
        return super().mask_encoded_message(data)


async def test_messages_are_masked_in_a_separate_thread(file: Path) -> None:
    masking = ThreadNotingMasker()
    recorder = Recorder(file, masking)
    transport = RecordingTransport(FakeTransport(), recorder)

    await transport.send('{"id":1,"method":"A.b"}')
    recorder.record_http_response("/json/list", 200, [])
    await transport.close()
    recorder.close()

    assert len(masking.threads) == 1
    assert threading.get_ident() not in masking.threads


def test_http_responses_and_close_reasons_are_masked(file: Path) -> None:
    recorder = Recorder(file, MessageMasker({"open sesame": "<secret>WORD</secret>"}))
    body = [{"url": "https://a.test/?access_token=hush", "title": "open sesame"}]
    recorder.record_http_response("/json/new?https://a.test/?token=hush", 200, body)
    recorder.record_connection_end(
        recorder.record_connection_start("/devtools/page/1"), "browser", "code 1000, open sesame"
    )
    recorder.close()

    assert b"hush" not in read_bytes(file)
    assert b"open sesame" not in read_bytes(file)
    assert body[0]["title"] == "open sesame"  # the client gets it unchanged
    fetched, _, closed = read_recording(file).entries
    assert isinstance(fetched, RecordedHttpResponse)
    assert fetched.path == "/json/new"
    assert fetched.body[0]["title"] == "<secret>WORD</secret>"
    assert isinstance(closed, ConnectionEnd)
    assert closed.reason == "code 1000, <secret>WORD</secret>"


def nested(depth: int, name: str) -> bytes:
    params = b'{"a":' * depth + b'"%b"' % name.encode() + b"}" * depth
    return b'{"method":"A.b","params":%b}' % params


@pytest.mark.parametrize("name", ["token", "plain"])
def test_a_deeply_nested_message_costs_only_its_own_line(file: Path, name: str) -> None:
    recorder = Recorder(file)
    number = recorder.record_connection_start()
    for depth in (300, 5000):
        recorder.record_message(number, "browser", nested(depth, name))
    recorder.record_message(number, "browser", '{"method":"A.c"}')
    recorder.close()

    assert recorder.failure == ""
    _, shallow, *_, last = read_recording(file).entries
    assert isinstance(shallow, RecordedMessage)
    assert shallow.message == orjson.loads(nested(300, name))
    assert isinstance(last, RecordedMessage)
    assert last.message == {"method": "A.c"}


def test_an_unreadable_message_that_may_contain_secrets_is_masked(file: Path) -> None:
    recorder = Recorder(file)
    recorder.record_message(
        recorder.record_connection_start(), "client", '{"cookies":[{"value":"hush"'
    )
    recorder.close()

    result = read_recording(file).entries[1]
    assert isinstance(result, RecordedMessage)
    assert result.text.startswith("A message of 27 bytes was omitted: ")


async def test_a_browser_that_does_not_answer_the_recorder_is_not_waited_for(file: Path) -> None:
    from websockets.asyncio.server import serve

    recorder, mute = Recorder(file), FakeTransport()
    mute.withhold("Browser.getVersion")
    async with serve(lambda socket: socket.wait_closed(), "127.0.0.1", 0) as server:
        port = next(iter(server.sockets)).getsockname()[1]
        with pytest.raises(EndpointError, match=r"no response within 0\.2 s"):
            await Connection.open(f"ws://127.0.0.1:{port}", timeout=0.2, recorder=recorder)
    with pytest.raises(CallTimeout, match=r"Browser\.getVersion"):
        await Connection.from_transport(mute, timeout=0.05, recorder=recorder)
    recorder.close()
    assert mute.times_closed == 1
