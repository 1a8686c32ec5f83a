"""The sub-command `doctor`, which checks the environment of the server and suggests fixes.

Each subject has its own module. Only `doctor_command` is imported before the sub-command runs.
"""

from __future__ import annotations
