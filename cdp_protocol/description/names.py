"""Names of types in sentences, and suggestions for misspelt names."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Sequence
from typing import Any

MOST = 3  # suggestions
ALIKE = 0.65  # minimum similarity of a suggestion, from 0 to 1
SHORTEST_PART = 4  # minimum characters of a word to search for inside names
BESIDE_THE_BEST = 0.1  # how much less similar than the best one a suggestion may be


def kind(spec: dict[str, Any], home: str) -> str:
    """Return the short name of a type: "array of DOM.NodeId".

    Args:
        spec: The description of a parameter, property or type.
        home: The domain that contains this description.
    """
    if ref := spec.get("$ref"):
        return qualified(ref, home)
    if spec.get("type") == "array":
        return f"array of {kind(spec['items'], home)}" if "items" in spec else "array"
    if spec.get("type") == "binary":
        return "string (base64)"
    return str(spec.get("type", "any"))


def qualified(ref: str, home: str) -> str:
    """Return a `$ref` with its domain prefix."""
    return ref if "." in ref else f"{home}.{ref}"


def nearest(name: str, among: Iterable[str]) -> list[str]:
    """Return up to three names similar to a wrong name, the most likely first."""
    names = list(dict.fromkeys(among))
    domain, dot, member = name.lower().rpartition(".")
    if dot:
        siblings = [each for each in names if each.lower().startswith(f"{domain}.")]
        found = _closest(member, {each: _own(each) for each in siblings})
        return found or _closest(name.lower(), {each: each.lower() for each in names})
    if exact := [each for each in names if _own(each) == member]:
        return exact[:MOST]
    containing = [each for each in names if member in _own(each)]
    found = _closest(member, {each: _own(each) for each in names})
    return found or (containing[:MOST] if len(member) >= SHORTEST_PART else [])


def meant(names: Sequence[str]) -> str:
    """Return a "Did you mean" question after a space; "" for no names."""
    if not names:
        return ""
    *others, last = names
    return f" Did you mean {', '.join(others)} or {last}?" if others else f" Did you mean {last}?"


def _own(name: str) -> str:
    return name.rpartition(".")[2].lower()


def _closest(wanted: str, written: dict[str, str]) -> list[str]:
    """Return the names most similar to a wanted form, the most similar first.

    Args:
        wanted: The form to look for.
        written: The names, each with the form to compare.
    """
    matcher = difflib.SequenceMatcher(autojunk=False)
    matcher.set_seq2(wanted)
    scores: dict[str, float] = {}
    for name, form in written.items():
        matcher.set_seq1(form)
        if matcher.real_quick_ratio() >= ALIKE and matcher.quick_ratio() >= ALIKE:
            scores[name] = matcher.ratio()
    least = max(ALIKE, max(scores.values(), default=0.0) - BESIDE_THE_BEST)
    best = sorted((name for name in scores if scores[name] >= least), key=lambda n: -scores[n])
    return best[:MOST]
