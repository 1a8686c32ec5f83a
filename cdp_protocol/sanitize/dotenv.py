"""Parser for dotenv files, which assign secret values to names."""

from __future__ import annotations

import re

_DOTENV_LINE = re.compile(
    r"""^[ \t]*(?:export[ \t]+)?(?P<name>[\w.-]+)[ \t]*=[ \t]*(?:
        "(?P<double>(?:\\"|[^"])*)" | '(?P<single>[^']*)' | `(?P<tick>[^`]*)`
        | (?P<bare>[^\r\n]*?)
    )[ \t]*(?:(?<!\S)\#[^\r\n]*)?$""",
    re.MULTILINE | re.VERBOSE,
)


def parse_dotenv(text: str) -> dict[str, str]:
    r"""Parse the NAME=VALUE lines of a dotenv file, with quotes, comments and `export`.

    As in dotenv, \n and \r in double quotes are line breaks, and no other escapes exist.

    Raises:
        ValueError: A line has another form. The message contains its number, not its content.
    """
    text = text.replace("\r\n", "\n")
    values = {line["name"]: _parse_dotenv_value(line) for line in _DOTENV_LINE.finditer(text)}
    rest = _DOTENV_LINE.sub(lambda each: "\n" * each[0].count("\n"), text)
    for number, line in enumerate(rest.splitlines(), start=1):
        if line.strip() and not line.lstrip().startswith("#"):
            raise ValueError(f"line {number} is not NAME=VALUE")
    return values


def _parse_dotenv_value(line: re.Match[str]) -> str:
    if line["double"] is not None:
        return line["double"].replace(r"\n", "\n").replace(r"\r", "\r")
    for kind in ("single", "tick"):
        if line[kind] is not None:
            return str(line[kind])
    return re.split(r"(?:^|\s)#", str(line["bare"]), maxsplit=1)[0].strip()
