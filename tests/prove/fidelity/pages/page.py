"""One page of the corpus."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class CorpusPage:
    """One page.

    Attributes:
        part: The part of the corpus to which it belongs.
        html: The document itself, or "" if `url` has its address.
    """

    part: str
    name: str
    html: str = ""
    url: str = ""
