"""Files of the server: where it writes and reads them, their records, and their size limit."""

from __future__ import annotations
