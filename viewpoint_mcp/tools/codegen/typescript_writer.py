"""The writer of TypeScript for Playwright Test."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import ClassVar

from viewpoint_mcp.accessibility.search.locator_code import quote_typescript, render_locator
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

_IDENTIFIER = re.compile(r"[A-Za-z_$][\w$]*")


class TypeScriptWriter(CodeWriter):
    """Renders statements as TypeScript."""

    code_fence: ClassVar[str] = "js"
    suffix: ClassVar[str] = ".spec.ts"

    def write_passage(self, passage: Passage) -> list[str]:
        """Return the lines of a passage."""
        page, before, after = passage.page, [], []
        if passage.dialog_answers:
            before.append(self.write_dialog_handler(page, passage.dialog_answers))
        for popup in passage.popups[:1]:
            before.append(f"const {popup}Promise = {page}.waitForEvent('popup');")
            after.append(f"const {popup} = await {popup}Promise;")
        others = passage.popups[1:]
        after += [
            f"const {popup} = {page}.context().pages().at({index - len(others)})!;"
            for index, popup in enumerate(others)
        ]
        if chooser := passage.file_chooser:
            before.append(f"const {chooser}Promise = {page}.waitForEvent('filechooser');")
            after.append(f"const {chooser} = await {chooser}Promise;")
        lines = [line for each in passage.statements for line in self.write_statement(each)]
        return [*before, *lines, *after]

    def write_statement(self, statement: Statement) -> list[str]:
        """Return the lines of a statement."""
        match statement:
            case Comment(text):
                return [f"// {line}" for line in text.splitlines()]
            case Expectation():
                target = _join(statement.subject, render_locator(statement.steps))
                negation = ".not" if statement.is_negated else ""
                arguments = ", ".join(map(self.write_value, statement.arguments))
                return [f"await expect({target}){negation}.{statement.matcher}({arguments});"]
            case Method():
                target = _join(statement.subject, render_locator(statement.steps), statement.name)
                written = [self.write_value(each) for each in statement.arguments]
                if statement.options:
                    written.append(self.write_value(statement.options))
                result = f"const {statement.result} = " if statement.result else ""
                return [f"{result}await {target}({', '.join(written)});"]

    def write_value(self, value: Value) -> str:
        """Return a value as code."""
        match value:
            case str():
                secret = self.find_secret(value)
                return f"process.env['{secret}']" if secret else quote_typescript(value)
            case Variable(name):
                return name
            case LocatorArgument(subject, steps):
                return _join(subject, render_locator(steps))
            case PageFunction(source):
                return source
            case UrlPart(text):
                return f"url => url.href.includes({quote_typescript(text)})"
            case dict():
                pairs = (f"{_name(key)}: {self.write_value(each)}" for key, each in value.items())
                return f"{{ {', '.join(pairs)} }}"
            case list() | tuple():
                return f"[{', '.join(map(self.write_value, value))}]"
            case _:
                return json.dumps(value)

    def write_dialog_handler(self, page: str, answers: Sequence[DialogAnswer]) -> str:
        """Return the line that answers the next dialogs of a page."""
        answer, *later = answers
        if answer.accepts:
            text = "" if answer.prompt_text is None else self.write_value(answer.prompt_text)
            call = f"dialog.accept({text})"
        else:
            call = "dialog.dismiss()"
        if not later:
            return f"{page}.once('dialog', dialog => {call});"
        inner = self.write_dialog_handler(page, later)
        return f"{page}.once('dialog', dialog => {{ {inner} return {call}; }});"

    def write_test(self, lines: Sequence[str], options: Mapping[str, Value], test_ids: str) -> str:
        """Return a file with one test."""
        body = "\n".join(lines)
        fixtures = [each for each in ("page", "context", "browser") if _uses(body, each)]
        used = {**({"testIdAttribute": test_ids} if test_ids else {}), **options}
        use = f"test.use({self.write_value(used)});\n\n" if used else ""
        indented = "\n".join(f"  {line}" if line else "" for line in lines)
        return (
            "import { test, expect } from '@playwright/test';\n\n"
            f"{use}test('recorded session', async ({{ {', '.join(fixtures)} }}) => {{\n"
            f"{indented}\n}});\n"
        )


def _join(*parts: str) -> str:
    return ".".join(filter(None, parts))


def _name(key: str) -> str:
    return key if _IDENTIFIER.fullmatch(key) else quote_typescript(key)


def _uses(body: str, fixture: str) -> bool:
    return re.search(rf"(?<![\w.$'\"]){fixture}\b(?!['\"])", body) is not None
