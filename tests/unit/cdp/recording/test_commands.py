"""`cdp show` and `cdp replay` on the command line, without a browser."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import cdp_protocol
from cdp_protocol.cli import command
from cdp_protocol.cli.commands.record_replay import read_secret_replacements
from cdp_protocol.recording.file_format import read_recording
from cdp_protocol.recording.remote_debugging_server import run_debug_server
from cdp_protocol.recording.replay import ReplayingBrowser

LINES = [
    {"cdp": 1, "product": "Chrome/1", "protocol": "1.3", "endpoint": "ws://x/", "started": "now"},
    {"t": 0.0, "c": 0, "opened": "/devtools/browser/1"},
    {"t": 0.1, "c": 0, "from": "client", "message": {"id": 1, "method": "A.a", "params": {}}},
    {"t": 0.5, "c": 0, "from": "browser", "message": {"id": 1, "result": {"text": "\u001b[31m"}}},
    {"t": 0.6, "c": 0, "from": "client", "message": {"id": 2, "method": "Page.reload"}},
]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "recording.jsonl"
    path.write_text("".join(f"{json.dumps(line)}\n" for line in LINES))
    return path


def read_lines_of(file: Path) -> bytes:
    return file.read_bytes()


def cdp(*arguments: object) -> Result:
    return CliRunner().invoke(command.cdp, [str(each) for each in arguments])


def test_show_lists_each_message_without_its_control_sequences(file: Path) -> None:
    shown = cdp("show", file).output.splitlines()

    assert shown[0] == "# Chrome/1 at ws://x/, now"
    assert shown[1] == "     0.000 0 opened /devtools/browser/1"
    assert shown[2] == "     0.100 0 → -      A.a 400.0 ms {}"
    assert shown[3] == '     0.500 0 ← -      A.a = 400.0 ms {"text":"\\u001b[31m"}'
    assert "\x1b" not in "".join(shown)


def test_show_filters_and_writes_json(file: Path) -> None:
    (line,) = cdp("show", file, "--from", "browser", "--json").output.splitlines()

    assert json.loads(line)["method"] == "A.a"
    assert json.loads(line)["seconds"] == pytest.approx(0.4)


def test_show_sums_up(file: Path) -> None:
    assert "2 calls" in cdp("show", file, "--summary").output
    assert json.loads(cdp("show", file, "--summary", "--json").output)["calls"] == {
        "A.a": 1,
        "Page.reload": 1,
    }


@pytest.mark.parametrize(
    "odd",
    [
        {"id": [1], "method": "A.b"},
        {"id": 3, "method": 5},
        {"id": 3, "method": "A.b", "sessionId": {}},
    ],
)
def test_show_lists_a_message_with_wrong_types(file: Path, odd: dict[str, object]) -> None:
    line = {"t": 0.7, "c": 0, "from": "client", "message": odd}
    file.write_text(f"{file.read_text()}{json.dumps(line)}\n")

    assert "     0.700 0 →" in cdp("show", file).output
    for words in (("-m", "A.*"), ("--summary",), ("--json",)):
        assert cdp("show", file, *words).exit_code == 0


@pytest.mark.skipif(sys.platform == "win32", reason="a pipe breaks otherwise there")
def test_show_ends_in_peace_when_its_reader_has_enough(file: Path) -> None:
    read_end, write_end = os.pipe()
    os.close(read_end)

    ended = subprocess.run(
        [sys.executable, "-m", "cdp_protocol", "show", str(file)],
        stdout=write_end,
        stderr=subprocess.PIPE,
        check=False,
    )
    os.close(write_end)

    assert (ended.returncode, ended.stderr) == (0, b"")


def test_a_truncated_file_is_listed_and_reported(file: Path) -> None:
    file.write_bytes(file.read_bytes()[:-10])

    result = cdp("show", file)

    assert "ends in the middle of line 5" in result.stderr
    assert "A.a" in result.stdout


@pytest.mark.parametrize("port", ["", "abc", "99999", "-1"])
def test_an_invalid_port_is_reported_to_the_user(file: Path, port: str) -> None:
    result = cdp("replay", file, "--as-browser", f"--remote-debugging-port={port}")

    assert result.exit_code == 2
    assert f'Invalid port in "--remote-debugging-port={port}". Use 0 to 65535.' in result.stderr


async def test_a_port_in_use_is_reported_to_the_user(file: Path) -> None:
    async with run_debug_server(ReplayingBrowser(read_recording(file))) as port:
        switch = f"--remote-debugging-port={port}"
        result = await asyncio.to_thread(cdp, "replay", file, "--as-browser", switch)

    assert result.exit_code == 1
    assert f"Cannot listen on port {port}" in result.stderr


@pytest.mark.parametrize("name", ["show", "replay"])
def test_an_invalid_recording_is_an_error_without_a_traceback(name: str, tmp_path: Path) -> None:
    (tmp_path / "other").write_text("hello")

    for path, words in (("other", "is not a recording"), ("none", "none: No such file")):
        result = cdp(name, tmp_path / path)
        assert result.exit_code == 1
        assert words in result.stderr


def test_a_switch_of_a_browser_is_refused_but_from_a_launcher(file: Path) -> None:
    result = cdp("replay", file, "--headless")

    assert result.exit_code == 2
    assert 'Unknown option "--headless"' in result.stderr


def test_a_recording_that_cannot_be_written_is_reported_before_the_browser_is_asked(
    tmp_path: Path,
) -> None:
    result = cdp("record", tmp_path / "no" / "file")

    assert result.exit_code == 1
    assert "/no/file: No such file or directory" in result.stderr


@pytest.mark.parametrize("endpoint", ["1", "somewhere", "ws://127.0.0.1:1/devtools/browser/1"])
def test_an_existing_recording_stays_when_there_is_no_browser(file: Path, endpoint: str) -> None:
    before = file.read_bytes()

    result = cdp("record", file, "-e", endpoint)

    assert result.exit_code == 1
    assert "Cannot connect to a browser" in result.stderr
    assert "Recording" not in result.stdout
    assert file.read_bytes() == before


async def test_an_existing_recording_stays_when_the_port_is_in_use(file: Path) -> None:
    before = read_lines_of(file)
    async with run_debug_server(ReplayingBrowser(read_recording(file))) as port:
        result = await asyncio.to_thread(cdp, "record", file, "-e", port, "--port", port)

    assert result.exit_code == 1
    assert f"Cannot listen on port {port}" in result.stderr
    assert read_lines_of(file) == before


@pytest.mark.skipif(sys.platform == "win32", reason="there are no such files")
@pytest.mark.parametrize("name", ["record", "show", "replay"])
def test_a_pipe_is_refused_and_not_waited_for(name: str, tmp_path: Path) -> None:
    os.mkfifo(pipe := tmp_path / "pipe")

    result = cdp(name, pipe)

    assert result.exit_code == 1
    assert f"{pipe}: it is " in result.stderr
    assert "it is not a regular file" in result.stderr


@pytest.mark.parametrize(("more", "status"), [((), 0), (("--strict",), 1)])
async def test_replay_ends_with_the_first_client_and_reports_the_unused_commands(
    file: Path, more: tuple[str, ...], status: int
) -> None:
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "cdp_protocol", "replay", str(file), "--once", *more),
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    assert process.stdout is not None
    line = (await process.stdout.readline()).decode()
    port = line.partition("127.0.0.1:")[2].partition(";")[0]
    async with cdp_protocol.connect(port) as client:
        await client.send("A.a")

    _, message = await process.communicate()

    assert process.returncode == status
    assert "1 of 2 recorded commands were not sent: Page.reload (1)." in message.decode()


async def test_at_speed_one_an_answer_takes_its_recorded_time(file: Path) -> None:
    loop = asyncio.get_running_loop()
    async with (
        run_debug_server(ReplayingBrowser(read_recording(file), speed=1)) as port,
        cdp_protocol.connect(f"127.0.0.1:{port}") as client,
    ):
        before = loop.time()
        await client.send("A.a")
        assert loop.time() - before >= 0.39


def test_show_and_its_json_list_deeply_nested_messages(tmp_path: Path) -> None:
    path = tmp_path / "deep.jsonl"
    inner = '{"a":' * 300 + "1" + "}" * 300
    expected = f'{{"t":0.1,"c":0,"from":"browser","message":{{"method":"A.b","params":{inner}}}}}'
    path.write_text(f"{json.dumps(LINES[0])}\n{expected}\n")

    assert '"a":{"a":' in cdp("show", path).output
    assert json.loads(cdp("show", path, "--json").output)["method"] == "A.b"


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (b"WORD=\xff\xfe", "it is not UTF-8"),
        (b"A=1\nopen sesame\n", "line 2 is not NAME=VALUE"),
    ],
)
def test_an_unreadable_file_of_secrets_is_reported(
    tmp_path: Path, content: bytes, expected: str
) -> None:
    secrets = tmp_path / "secrets"
    secrets.write_bytes(content)

    refused = cdp("record", tmp_path / "file", "--secrets", secrets, "--endpoint", "1")

    assert refused.exit_code == 2
    assert f"Cannot read {secrets}: {expected}." in refused.output
    assert not (tmp_path / "file").exists()


def test_a_file_of_secrets_is_read_as_by_the_server(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    secrets = tmp_path / "secrets"
    secrets.write_text('\ufeffWORD="open sesame" # told\nPIN=12\n', encoding="utf-8")

    assert read_secret_replacements(secrets) == {"open sesame": "<secret>WORD</secret>"}
    assert "PIN" in capsys.readouterr().err
