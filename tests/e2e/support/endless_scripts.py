"""Scripts that never end."""

from __future__ import annotations

LOOP = """() => setTimeout(() => {
  const request = new XMLHttpRequest();
  request.open('GET', '/looping', false);
  request.send();
  for (;;) {}
}, 20)"""
"""Asks the site for /looping, and then never lets its process do anything else."""
