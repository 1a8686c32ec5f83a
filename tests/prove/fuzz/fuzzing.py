"""Sends inputs that Hypothesis generates to a running server, and judges the answers."""

from __future__ import annotations

from pathlib import Path

from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from tests.prove.fuzz.arguments import arguments_of
from tests.prove.fuzz.http import FuzzedHttpServer, headers
from tests.prove.fuzz.inputs import METHODS, SESSIONLESS_METHODS, inputs
from tests.prove.fuzz.judging import IllegalAnswer
from tests.prove.fuzz.stdio import FuzzedServer
from tests.prove.fuzz.tools import NOT_CALLED, Call, FuzzedTools, serve_site

AT_ONCE = 20
CALLS_AT_ONCE = 6
NAMES = [name for name, _ in METHODS + SESSIONLESS_METHODS]


def _settings(count: int) -> settings:
    # A server has state, so earlier inputs may matter: inputs are not shrunk.
    return settings(
        max_examples=count,
        deadline=None,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )


def fuzz_stdio(count: int, directory: Path) -> None:
    """Feed so many inputs to one server over stdio.

    Raises:
        IllegalAnswer: One was not answered as it should be.
    """
    with FuzzedServer(directory) as server:

        @_settings(count // AT_ONCE)
        @given(st.lists(inputs, min_size=AT_ONCE, max_size=AT_ONCE))
        def feed(given_inputs: list[bytes]) -> None:
            try:
                server.feed(given_inputs)
            except IllegalAnswer:
                server.restart()  # later output of the old server is ignored
                raise

        feed()


def fuzz_http(count: int, directory: Path) -> None:
    """Feed so many inputs to one server over HTTP, with headers as odd as they are.

    Raises:
        IllegalAnswer: One was not answered as it should be.
    """
    with FuzzedHttpServer(directory) as server:
        given_headers = st.sampled_from(NAMES).flatmap(lambda name: headers(server.session, name))
        verbs = st.sampled_from(["POST"] * 18 + ["PUT", "OPTIONS"])

        @_settings(count)
        @given(inputs, given_headers, verbs)
        def feed(data: bytes, said: dict[str, str], verb: str) -> None:
            server.feed(data, said, verb)

        feed()


def fuzz_tools(count: int, directory: Path) -> None:
    """Make so many calls of all tools, a few at the same time, with a page in a browser.

    Raises:
        IllegalAnswer: A reply is missing, or shows a bug of the server.
    """
    with serve_site() as site, FuzzedTools(directory, site) as server:
        each = [
            st.tuples(st.just(name), arguments_of(schema, site))
            for name, schema in server.schemas.items()
            if name not in NOT_CALLED
        ]

        @_settings(count // CALLS_AT_ONCE)
        @given(st.lists(st.one_of(each), min_size=CALLS_AT_ONCE, max_size=CALLS_AT_ONCE))
        def feed(calls: list[Call]) -> None:
            server.feed(calls)

        feed()
