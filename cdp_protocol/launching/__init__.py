"""Starts a Chromium of one's own, and leaves nothing of it: no process, no temporary profile."""
