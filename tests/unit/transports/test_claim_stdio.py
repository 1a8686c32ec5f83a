from __future__ import annotations

import subprocess
import sys

PROGRAM = """
import os
from viewpoint_mcp.transports.stdio import claim_stdio
pipes = claim_stdio()
print("a stray print", flush=True)
os.system("cat; echo a stray child")
os.write(pipes.stdout, b"protocol: " + os.read(pipes.stdin, 100))
"""


def test_only_the_protocol_reaches_stdout_and_reads_stdin() -> None:
    ran = subprocess.run(
        [sys.executable, "-c", PROGRAM], input=b"hello", capture_output=True, check=True
    )
    assert ran.stdout == b"protocol: hello"
    assert b"a stray print\n" in ran.stderr
    assert b"a stray child\n" in ran.stderr
