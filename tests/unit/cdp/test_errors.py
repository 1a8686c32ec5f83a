"""Errors are sentences that keep their facts."""

from __future__ import annotations

import pickle

import pytest

from cdp_protocol import (
    CallTimeout,
    CdpError,
    ConnectionLost,
    EndpointError,
    ProtocolError,
    SessionClosed,
    TargetNotFound,
)

SENTENCES = [
    (ProtocolError("A.b", -32000, "No node."), "A.b failed: No node. (code -32000)"),
    (
        ProtocolError("A.b", -32602, "Invalid parameters", "url: string value expected"),
        "A.b failed: Invalid parameters. url: string value expected (code -32602)",
    ),
    (ProtocolError("A.b", -32601, "Not here"), "A.b failed: Not here. (code -32601)"),
    (
        ProtocolError("Page.navigat", -32601, "'Page.navigat' wasn't found"),
        "Page.navigat is not a command of this browser or target. (code -32601)",
    ),
    (ConnectionLost(None, "it broke"), "The connection ended: it broke."),
    (ConnectionLost("A.b", "it broke"), "A.b failed: it broke."),
    (SessionClosed(None, "S1", "gone"), "Session S1 is closed: gone."),
    (SessionClosed(None, "", "gone"), "The browser session is closed: gone."),
    (SessionClosed("A.b", "S1", "gone"), "A.b failed: session S1 is closed (gone)."),
    (
        CallTimeout("Page.loadEventFired", 1.5),
        (
            "Timed out after 1.5 s waiting for Page.loadEventFired. The target may be busy, paused"
            " in a debugger or blocked by a dialog. Check it, or increase the timeout."
        ),
    ),
    (
        EndpointError("localhost:1", "connection refused"),
        (
            "Cannot connect to a browser at localhost:1: connection refused. Start one with"
            " --remote-debugging-port and pass its address, such as http://127.0.0.1:9222."
        ),
    ),
]


@pytest.mark.parametrize(("error", "sentence"), SENTENCES)
def test_an_error_reads_as_a_sentence(error: CdpError, sentence: str) -> None:
    assert str(error) == sentence


@pytest.mark.parametrize("error", [error for error, _ in SENTENCES])
def test_an_error_survives_pickling(error: CdpError) -> None:
    again = pickle.loads(pickle.dumps(error))

    assert type(again) is type(error)
    assert str(again) == str(error)


def test_a_target_that_was_not_found_survives_pickling() -> None:
    error = TargetNotFound(ProtocolError("Target.attachToTarget", -32602, "No target"), "T9")

    copy = pickle.loads(pickle.dumps(error))

    assert (str(copy), copy.target_id, copy.code) == (str(error), "T9", -32602)
