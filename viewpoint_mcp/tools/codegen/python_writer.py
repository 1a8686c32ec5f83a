"""The writer of Python for pytest-playwright, which uses the synchronous API."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import ClassVar

from viewpoint_mcp.accessibility.search.locator_code import (
    quote_python,
    render_locator,
    to_snake_case,
)
from viewpoint_mcp.tools.codegen.code_writer import CodeWriter
from viewpoint_mcp.tools.codegen.statements import (
    Comment,
    DialogAnswer,
    Expectation,
    LocatorArgument,
    Method,
    PageFunction,
    Passage,
    Statement,
    UrlPart,
    Value,
    Variable,
)

_TYPES: Mapping[str, str] = {
    "page": "Page",
    "context": "BrowserContext",
    "browser": "Browser",
    "playwright": "Playwright",
}


class PythonWriter(CodeWriter):
    """Renders statements as Python."""

    code_fence: ClassVar[str] = "python"
    suffix: ClassVar[str] = ".py"

    def write_passage(self, passage: Passage) -> list[str]:
        """Return the lines of a passage."""
        page, before, after, opened = passage.page, [], [], []
        if passage.dialog_answers:
            before.append(self.write_dialog_handler(page, passage.dialog_answers))
        for popup in passage.popups[:1]:
            opened.append(f"with {page}.expect_popup() as {popup}_info:")
            after.append(f"{popup} = {popup}_info.value")
        others = passage.popups[1:]
        after += [
            f"{popup} = {page}.context.pages[{index - len(others)}]"
            for index, popup in enumerate(others)
        ]
        if passage.file_chooser:
            chooser = to_snake_case(passage.file_chooser)
            opened.append(f"with {page}.expect_file_chooser() as {chooser}_info:")
            after.append(f"{chooser} = {chooser}_info.value")
        lines = [line for each in passage.statements for line in self.write_statement(each)]
        if opened and all(isinstance(each, Comment) for each in passage.statements):
            lines.append("pass")
        nested = [f"{'    ' * depth}{line}" for depth, line in enumerate(opened)]
        indented = [f"{'    ' * len(opened)}{line}" for line in lines]
        return [*before, *nested, *indented, *after]

    def write_statement(self, statement: Statement) -> list[str]:
        """Return the lines of a statement."""
        match statement:
            case Comment(text):
                return [f"# {line}" for line in text.splitlines()]
            case Expectation():
                target = _join(statement.subject, render_locator(statement.steps, "python"))
                negation = "not_" if statement.is_negated else ""
                arguments = ", ".join(map(self.write_value, statement.arguments))
                return [
                    f"expect({target}).{negation}{to_snake_case(statement.matcher)}({arguments})"
                ]
            case Method():
                locator = render_locator(statement.steps, "python")
                name = to_snake_case(statement.name)
                target = _join(to_snake_case(statement.subject), locator, name)
                written = [self.write_value(each) for each in statement.arguments]
                written += [
                    f"{to_snake_case(option)}={self.write_value(value)}"
                    for option, value in statement.options.items()
                ]
                result = f"{statement.result} = " if statement.result else ""
                return [f"{result}{target}({', '.join(written)})"]

    def write_value(self, value: Value) -> str:
        """Return a value as code."""
        match value:
            case str():
                secret = self.find_secret(value)
                return f'os.environ["{secret}"]' if secret else quote_python(value)
            case Variable(name):
                return to_snake_case(name)
            case LocatorArgument(subject, steps):
                return _join(subject, render_locator(steps, "python"))
            case PageFunction(source):
                return quote_python(source)
            case UrlPart(text):
                return f"lambda url: {quote_python(text)} in url"
            case dict():
                pairs = (f'"{key}": {self.write_value(each)}' for key, each in value.items())
                return f"{{{', '.join(pairs)}}}"
            case list() | tuple():
                return f"[{', '.join(map(self.write_value, value))}]"
            case _:
                return repr(value)

    def write_dialog_handler(self, page: str, answers: Sequence[DialogAnswer]) -> str:
        """Return the line that answers the next dialogs of a page."""
        answer, *later = answers
        if answer.accepts:
            text = "" if answer.prompt_text is None else self.write_value(answer.prompt_text)
            call = f"dialog.accept({text})"
        else:
            call = "dialog.dismiss()"
        if later:
            call = f"({self.write_dialog_handler(page, later)}, {call})"
        return f'{page}.once("dialog", lambda dialog: {call})'

    def write_test(self, lines: Sequence[str], options: Mapping[str, Value], test_ids: str) -> str:
        """Return a file with one test."""
        if test_ids:
            setting = f"playwright.selectors.set_test_id_attribute({quote_python(test_ids)})"
            lines = [setting, *lines]
        body = "\n".join(lines)
        fixtures = [each for each in _TYPES if _uses(body, each)]
        types = sorted(_TYPES[each] for each in fixtures)
        imported = ", ".join([*types, "expect"] if "expect(" in body else types)
        used = {to_snake_case(name): value for name, value in options.items()}
        parameters = ", ".join(f"{each}: {_TYPES[each]}" for each in fixtures)
        indented = "\n".join(f"    {line}" if line else "" for line in lines)
        standard = "import os\n\n" if "os.environ[" in body else ""
        fixture = (
            '\n\n@pytest.fixture(scope="session")\n'
            "def browser_context_args(browser_context_args: dict) -> dict:\n"
            f"    return {{**browser_context_args, {self.write_value(used)[1:]}\n"
        )
        return (
            f"{standard}{'import pytest' + chr(10) if used else ''}"
            f"from playwright.sync_api import {imported}\n"
            f"{fixture if used else ''}\n\n"
            f"def test_recorded_session({parameters}) -> None:\n{indented}\n"
        )


def _join(*parts: str) -> str:
    return ".".join(filter(None, parts))


def _uses(body: str, fixture: str) -> bool:
    return re.search(rf"(?<![\w.'\"]){fixture}\b(?!['\"=])", body) is not None
