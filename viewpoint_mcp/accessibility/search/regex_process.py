"""Script that searches texts with a regular expression in a process of its own.

`regex_search.py` starts it for one search, `regex_matcher.py` for many with `--repeat`.

The input on stdin is JSON: `{"pattern", "flags", "texts"}`. The output on stdout is JSON, too:
`{"found": [[index, start, end], ...]}` with the first match in each text that has a match, or
`{"error": "..."}`. With `--repeat`, each line of the input is such an object, and each line of the
output the result.
"""

from __future__ import annotations

import json
import re
import sys
import warnings
from collections.abc import Iterable


def search_texts(pattern: str, flags: str, texts: Iterable[str]) -> dict[str, object]:
    """Return the first match in each text that has a match, or the error of a malformed pattern.

    Args:
        pattern: The regular expression.
        flags: Letters of "imsx".
        texts: The texts to search.
    """
    warnings.simplefilter("ignore")
    try:
        matcher = re.compile(pattern, sum(re.RegexFlag[flag.upper()] for flag in set(flags)))
    except (re.error, RecursionError, OverflowError) as error:
        return {"error": str(error)}
    found = ((index, matcher.search(text)) for index, text in enumerate(texts))
    return {"found": [(index, *match.span()) for index, match in found if match is not None]}


if __name__ == "__main__":
    if sys.argv[1:] == ["--repeat"]:
        for line in sys.stdin.buffer:
            sys.stdout.write(json.dumps(search_texts(**json.loads(line))) + "\n")
            sys.stdout.flush()
    else:
        json.dump(search_texts(**json.load(sys.stdin.buffer)), sys.stdout)
