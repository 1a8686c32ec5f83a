"""Who exists: browsers found, launched and attached to, their contexts and pages."""

from __future__ import annotations
