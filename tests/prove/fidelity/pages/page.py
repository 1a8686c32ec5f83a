"""One page of the corpus."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class CorpusPage:
    """One page.

    Attributes:
        part: Which part of the corpus it belongs to.
        html: The document itself, or "" where `url` tells its address.
    """

    part: str
    name: str
    html: str = ""
    url: str = ""
