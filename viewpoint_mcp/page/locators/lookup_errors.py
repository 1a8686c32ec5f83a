"""The errors for selectors and locators that do not match one element."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any, Final

from viewpoint_mcp.accessibility.search.candidate_list import list_candidates
from viewpoint_mcp.accessibility.search.found_elements import FoundElement
from viewpoint_mcp.errors import CallError, NoMatchError

_REF_IN_TEXT = re.compile(r"(?<![\w.#-])(?:c[0-9]+)?(?:p[0-9]+)?(?:f[0-9]+)?e[0-9]+(?![\w-])")
_MAX_MATCHES: Final = 10


def make_ambiguity_error(
    target: str,
    count: int,
    matches: Sequence[FoundElement],
    everything: Iterable[FoundElement],
    example: str = "",
) -> CallError:
    """Return the error for a target that several elements match.

    Args:
        target: The selector or locator.
        count: The number of matches.
        matches: The matches, or the first of them.
        everything: All elements with which they could be confused.
        example: The end of the hint, another way to name one of them.
    """
    lines = [f"- {each}" for each in list_candidates(matches[:_MAX_MATCHES], everything)]
    if count > len(lines):
        lines.append(f"- and {count - len(lines)} more")
    listed = "\n".join(lines)
    return CallError(
        f"{count} elements are {target}:\n{listed}\nUse the ref of one of them{example}."
    )


def make_selector_error(selector: str, answer: dict[str, Any]) -> CallError | NoMatchError:
    """Return the error for a selector that is malformed, or matches no element.

    Args:
        answer: The answer of `find` or `locate` of `inpage`.
    """
    is_invalid = bool(answer.get("invalid"))
    matches = "it is not a valid selector" if is_invalid else f"it matches {answer['matches']}"
    message = f'"{selector}" is neither a ref nor a CSS selector of exactly one element: {matches}.'
    refs_in_text = _REF_IN_TEXT.findall(selector)
    if len(refs_in_text) == 1:
        return CallError(message, f"Pass only the ref: {refs_in_text[0]}.")
    hint = "Use a ref from a snapshot, such as e12."
    return CallError(message, hint) if is_invalid else NoMatchError(message, hint)
