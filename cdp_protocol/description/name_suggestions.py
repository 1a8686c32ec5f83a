"""Suggestions for misspelt names: the most similar existing names."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Sequence

MAX_SUGGESTIONS = 3  # suggestions
MIN_SIMILARITY = 0.65  # minimum similarity of a suggestion, from 0 to 1
MIN_PART_LENGTH = 4  # minimum characters of a word to search for inside names
MAX_GAP_TO_BEST = 0.1  # how much less similar than the best one a suggestion may be


def similar_names(name: str, candidates: Iterable[str]) -> list[str]:
    """Return up to three names similar to a wrong name, the most likely first."""
    names = list(dict.fromkeys(candidates))
    domain, dot, member = name.lower().rpartition(".")
    if dot:
        siblings = [candidate for candidate in names if candidate.lower().startswith(f"{domain}.")]
        similar = _most_similar(
            member, {candidate: _lowercase_member_name(candidate) for candidate in siblings}
        )
        return similar or _most_similar(
            name.lower(), {candidate: candidate.lower() for candidate in names}
        )
    if exact := [candidate for candidate in names if _lowercase_member_name(candidate) == member]:
        return exact[:MAX_SUGGESTIONS]
    containing = [candidate for candidate in names if member in _lowercase_member_name(candidate)]
    similar = _most_similar(
        member, {candidate: _lowercase_member_name(candidate) for candidate in names}
    )
    return similar or (containing[:MAX_SUGGESTIONS] if len(member) >= MIN_PART_LENGTH else [])


def did_you_mean(names: Sequence[str]) -> str:
    """Return a "Did you mean" question after a space; "" for no names."""
    if not names:
        return ""
    *others, last = names
    return f" Did you mean {', '.join(others)} or {last}?" if others else f" Did you mean {last}?"


def _lowercase_member_name(name: str) -> str:
    return name.rpartition(".")[2].lower()


def _most_similar(wanted: str, forms: dict[str, str]) -> list[str]:
    """Return the names most similar to a wanted form, the most similar first.

    Args:
        wanted: The form to look for.
        forms: The names, each with the form to compare.
    """
    matcher = difflib.SequenceMatcher(autojunk=False)
    matcher.set_seq2(wanted)
    scores: dict[str, float] = {}
    for name, form in forms.items():
        matcher.set_seq1(form)
        if matcher.real_quick_ratio() >= MIN_SIMILARITY and matcher.quick_ratio() >= MIN_SIMILARITY:
            scores[name] = matcher.ratio()
    least = max(MIN_SIMILARITY, max(scores.values(), default=0.0) - MAX_GAP_TO_BEST)
    best = sorted((name for name in scores if scores[name] >= least), key=lambda n: -scores[n])
    return best[:MAX_SUGGESTIONS]
