"""Flags of the HTTP server: their meaning, and combinations that are refused."""

from __future__ import annotations

import pytest

from tests.unit.cli.test_options import run, settings
from viewpoint_mcp.config.settings import Listening

HERE = "127.0.0.1"


@pytest.mark.parametrize(
    ("flags", "expected"),
    [
        ((), Listening(host=HERE, port=0)),
        (("--host=::1",), Listening(host="::1", port=0)),
        (("--host=[::1]",), Listening(host="::1", port=0)),
        (("--host=0",), Listening(host="0.0.0.0", port=0)),
        (
            ("--no-auth", "--host=LocalHost"),
            Listening(host="localhost", port=0, asks_for_key=False),
        ),
        (("--api-key=sesame",), Listening(host=HERE, port=0, key="sesame")),
        (("--no-auth",), Listening(host=HERE, port=0, asks_for_key=False)),
        (
            ("--no-auth", "--host=localhost"),
            Listening(host="localhost", port=0, asks_for_key=False),
        ),
        (
            ("--allowed-hosts=a.test, b.test:8080", "--allowed-hosts=*"),
            Listening(host=HERE, port=0, allowed_hosts=("a.test", "b.test:8080", "*")),
        ),
    ],
)
def test_with_a_port_they_set_the_address_and_the_accepted_hosts(
    flags: tuple[str, ...], expected: Listening
) -> None:
    assert settings("--port=0", *flags).listening == expected


@pytest.mark.parametrize("prefix", ["VIEWPOINT_MCP", "PLAYWRIGHT_MCP"])
def test_the_environment_sets_them_too(prefix: str) -> None:
    env = {
        f"{prefix}_PORT": "8931",
        f"{prefix}_HOST": "0.0.0.0",
        f"{prefix}_ALLOWED_HOSTS": "a.test,b.test",
        f"{prefix}_API_KEY": "sesame",
    }
    expected = Listening(
        host="0.0.0.0", port=8931, allowed_hosts=("a.test", "b.test"), key="sesame"
    )
    assert settings(env=env).listening == expected


@pytest.mark.parametrize(
    ("flags", "sentence"),
    [
        (("--api-key=sesame",), "--api-key has an effect only over HTTP"),
        (("--no-auth",), "--no-auth has an effect only over HTTP"),
        (("--port=0", "--no-auth", "--host=0.0.0.0"), "Without a key, every machine that reaches"),
        (
            ("--port=0", "--no-auth", "--host=example.com"),
            "Without a key, every machine that reaches",
        ),
        (("--port=0", "--no-auth", "--allowed-hosts=a,*"), "Remove --no-auth or --allowed-hosts"),
        (("--port=0", "--host=*"), "The server cannot listen on *."),
        (("--port=0", "--no-auth", "--api-key=sesame"), "--no-auth contradicts --api-key"),
        (("--port=70000",), "70000 is not a port"),
        (("--port=-1",), "-1 is not a port"),
        (("--port=http",), "'http' is not a valid integer"),
        (("--port=0", "--allowed-hosts=http://a.test"), "'http://a.test' is not a host"),
        (("--port=0", "--allowed-hosts=a.test:http"), "'a.test:http' is not a host"),
        (("--port=0", "--allowed-hosts=*.a.test"), "'*.a.test' is not a host"),
        (("--port=0", "--api-key="), "A key must be visible ASCII characters"),
    ],
)
def test_a_mistake_is_reported_in_one_sentence(flags: tuple[str, ...], sentence: str) -> None:
    result, read = run(*flags)
    assert (result.exit_code, read) == (2, [])
    assert sentence in " ".join(result.output.split())


@pytest.mark.parametrize("flag", ["--host=localhost", "--allowed-hosts=localhost:*;127.0.0.1"])
def test_a_flag_of_playwright_mcp_without_a_port_is_a_warning(
    flag: str, caplog: pytest.LogCaptureFixture
) -> None:
    assert settings(flag).listening is None
    assert f"{flag.partition('=')[0]} has an effect only over HTTP. Add --port." in caplog.text


def test_hosts_may_be_written_as_in_configurations_of_playwright_mcp() -> None:
    listening = settings("--port=0", "--allowed-hosts=a.test;a.test:*;[::1]:*;b.test:80").listening
    assert listening is not None
    assert listening.allowed_hosts == ("a.test", "[::1]", "b.test:80")


def test_in_the_environment_they_may_wait_for_a_port() -> None:
    env = {"VIEWPOINT_MCP_API_KEY": "sesame", "VIEWPOINT_MCP_HOST": "0.0.0.0"}
    assert settings(env=env).listening is None


def test_no_key_of_the_settings_or_of_a_malformed_one_is_shown() -> None:
    assert "sesame" not in repr(settings("--port=0", "--api-key=sesame"))
    result, _ = run("--port=0", "--api-key=open sesame")
    assert result.exit_code == 2
    assert "sesame" not in result.output
