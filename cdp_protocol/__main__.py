"""Entry point of `python -m cdp_protocol`, which runs the command line `cdp`."""

from __future__ import annotations

from cdp_protocol.cli.command import main

if __name__ == "__main__":
    main()
