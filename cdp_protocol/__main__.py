"""`python -m cdp_protocol`, the same as the command `cdp`."""

from __future__ import annotations

from cdp_protocol.cli.command import main

if __name__ == "__main__":
    main()
