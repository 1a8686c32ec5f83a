"""`viewpoint-mcp doctor`: looks whether everything is there that the server needs, and says what to
do where it is not. One file for each subject; nothing but `command` is imported unless it is asked.
"""

from __future__ import annotations
