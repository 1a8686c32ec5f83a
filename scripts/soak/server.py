"""The server with a counter of its tasks: on SIGUSR1 it writes their number to a file.

    python -m scripts.soak.server FILE FLAGS...

Nothing else differs from `viewpoint-mcp FLAGS...`.
"""

from __future__ import annotations

import asyncio
import signal
import sys
from pathlib import Path
from types import FrameType

from viewpoint_mcp.cli.root_command import main


def run() -> None:
    """Run the server of this process."""
    file = Path(sys.argv.pop(1))

    def write_task_count(_signal: int, _frame: FrameType | None) -> None:
        # The handler runs in the thread of the event loop, between two of its steps.
        new = file.with_suffix(".new")
        new.write_text(str(len(asyncio.all_tasks())), encoding="utf-8")
        new.replace(file)

    signal.signal(signal.SIGUSR1, write_task_count)
    main()


if __name__ == "__main__":
    run()
