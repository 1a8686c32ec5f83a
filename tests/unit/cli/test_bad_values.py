"""Values that a flag refuses, on the command line and in the environment."""

from __future__ import annotations

import pytest

from tests.unit.cli.test_options import HERE, run

BAD = [
    ("--browser", "firefox", "firefox"),
    ("--viewport-size", "wide", '"wide" is not a size. Write it like 1280x720'),
    ("--viewport-size", "0x720", "is not a size"),
    ("--viewport-size", "-1x720", "is not a size"),
    ("--viewport-size", "1280x", "is not a size"),
    ("--test-id-attribute", "data qa!", '"data qa!" is not the name of an attribute'),
    ("--device", "Pixel 77", 'Unknown device "Pixel 77". Similar names: Pixel 7,'),
    ("--device", "Toaster", "Unknown device"),
    ("--locale", "german!", "is not a locale. Write it like de-DE"),
    ("--timezone", "Mars/Olympus", '"Mars/Olympus" is not a time zone.'),
    ("--timezone", "CEST!", "is not a time zone"),
    ("--geolocation", "91,0", "The latitude must be within 90 degrees"),
    ("--geolocation", "1,2,3,4", "Write LATITUDE,LONGITUDE"),
    ("--geolocation", "nan,0", "is not a position"),
    ("--grant-permissions", "midi,all", 'Unknown permission "all". Use accelerometer,'),
    ("--color-scheme", "blue", "blue"),
    ("--init-script", "no-such-file.js", "no-such-file.js"),
    ("--init-script", str(HERE), "is a directory"),
    ("--cdp-header", "cannot contain a colon", "A header is malformed"),
    ("--cdp-header", ": empty", "A header is malformed"),
    ("--cdp-header", "a b: c", "A header is malformed"),
    ("--cdp-header", "a: b\r\nc: d", "A header is malformed"),
    ("--extra-headers", "a: b\r\nc: d", "A header is malformed"),
    ("--extra-headers", "Host: a.test", "The header Host cannot be set: Chromium sets it itself"),
    ("--http-credentials", "hunter2", "The HTTP credentials have no colon. Write USER:PASSWORD"),
    ("--cdp-timeout", "-1", "-1"),
    ("--cdp-timeout", "soon", "soon"),
    ("--proxy-server", "ftp://joe:hunter2@proxy", 'unknown scheme "ftp"'),
    ("--proxy-server", "http://joe:hunter2@proxy:x", "host or port is malformed"),
    ("--proxy-bypass", "a=b", '"a=b" is not a host that can bypass the proxy'),
    ("--allowed-origins", "a.test/path", '"a.test/path" is not an origin. Write origins separated'),
    ("--blocked-origins", "ftp://a.test", 'has the unsupported scheme "ftp"'),
    ("--snapshot-mode", "some", "some"),
    ("--snapshot-budget", "999", "999"),
    *(
        ("--output-max-size", size, f'"{size}" is not a size')
        for size in ("0", "-1", "1.5M", "20T", "much")
    ),
    ("--timeout-action", "1.5", "1.5"),
    ("--timeout-navigation", "-5", "-5"),
    ("--timeout-settle", "x", "x"),
    ("--idle-timeout", "1h", "1h"),
    ("--log-level", "loud", "loud"),
    ("--tools", "browser_nope", 'No tool matches "browser_nope"'),
    ("--console-level", "loud", "loud"),
    ("--file-paths", "some", "some"),
    ("--secrets", "no-such-file", "Cannot read no-such-file: No such file"),
    ("--config", "no-such-file", "no-such-file"),
    ("--no-such-flag", "x", "no-such-flag"),
]


@pytest.mark.parametrize(("flag", "value", "words"), BAD)
def test_a_bad_value_exits_with_2_and_an_error_message(flag: str, value: str, words: str) -> None:
    result, _ = run(f"{flag}={value}")
    assert result.exit_code == 2
    assert words in result.stderr
    assert flag in result.stderr
    assert result.stdout == ""


@pytest.mark.parametrize(("flag", "value", "words"), BAD[:-1])
def test_a_bad_variable_exits_with_2_too(flag: str, value: str, words: str) -> None:
    variable = f"VIEWPOINT_MCP_{flag.lstrip('-').replace('-', '_').upper()}"
    result, _ = run(env={variable: value})
    assert result.exit_code == 2
    assert words in result.stderr
