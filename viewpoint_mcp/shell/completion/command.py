"""The command `viewpoint completion`: it prints a script, or the candidates for a script."""

from __future__ import annotations

import json
import os
import re
from typing import Final

from viewpoint_mcp.shell.client import make_request, send
from viewpoint_mcp.shell.completion.candidates import list_candidates
from viewpoint_mcp.shell.endpoint import EndpointError, find_workspace, make_endpoint
from viewpoint_mcp.shell.response import Response

SHELLS: Final = ("bash", "zsh", "fish")
RECORDS: Final = os.path.join(os.path.dirname(__file__), "commands.json")
"""The records of all commands, which `scripts/generate_docs.py` writes."""

_SESSION_LIMIT = 0.2  # seconds
_SESSION = re.compile(r"^  (?P<name>.*): last command ", re.MULTILINE)


def run_completion(argv: list[str]) -> Response:
    """Print the script for a shell, or the candidates that a script asks for.

    Args:
        argv: The command line, which begins with `completion`.
    """
    match argv:
        case ["completion", shell] if shell in SHELLS:
            script = os.path.join(os.path.dirname(__file__), f"viewpoint.{shell}")
            return Response(_read(script))
        case ["completion", "candidates", "--", *words]:
            records = json.loads(_read(RECORDS))
            lines = list_candidates(words, records, _list_sessions)
            return Response("".join(f"{line}\n" for line in lines))
    return Response("", f"Usage: viewpoint completion {'|'.join(SHELLS)}\n", 2)


def _read(path: str) -> str:
    with open(path, encoding="utf-8") as file:
        return file.read()


def _list_sessions() -> list[str]:
    """Return the names of the sessions of this workspace; none if its server is slow to answer."""
    try:
        endpoint = make_endpoint(find_workspace(os.getcwd(), os.environ), os.environ)
        connection = endpoint.connect(_SESSION_LIMIT)
        if connection is None:
            return []
        request = make_request(["sessions"])
        response = send(connection, request, _SESSION_LIMIT, accept_limit=_SESSION_LIMIT)
    except (EndpointError, OSError):
        return []
    return _SESSION.findall(response.stdout) if response else []
