"""Image processing from bytes to bytes. Only this package imports Pillow, when it is first needed.

The functions are synchronous and CPU-bound: call them in a thread (`asyncio.to_thread`).
"""

from __future__ import annotations
