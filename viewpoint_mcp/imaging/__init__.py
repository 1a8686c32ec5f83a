"""Pictures as bytes in, bytes out: the one place that knows Pillow, which is imported when needed.

All of it is plain functions that take their time: call them in a thread (`asyncio.to_thread`).
"""

from __future__ import annotations
