"""The interface of the writers, one for each language."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import ClassVar

from viewpoint_mcp.tools.codegen.statements import DialogAnswer, Passage, Statement, Value


class CodeWriter(ABC):
    """Renders statements in one language.

    Args:
        secrets: The values of secrets by name. The code reads them from the environment.

    Attributes:
        code_fence: The language of a code block in Markdown.
        suffix: The suffix of a file with a test.
    """

    code_fence: ClassVar[str]
    suffix: ClassVar[str]

    def __init__(self, secrets: Mapping[str, str]) -> None:
        self._secret_names = {value: name for name, value in secrets.items() if value}

    def find_secret(self, text: str) -> str | None:
        """Return the name of the secret with this value; None for any other text."""
        return self._secret_names.get(text)

    @abstractmethod
    def write_passage(self, passage: Passage) -> list[str]:
        """Return the lines of a passage, without indentation."""

    @abstractmethod
    def write_statement(self, statement: Statement) -> list[str]:
        """Return the lines of a statement."""

    @abstractmethod
    def write_value(self, value: Value) -> str:
        """Return a value as code."""

    @abstractmethod
    def write_dialog_handler(self, page: str, answers: Sequence[DialogAnswer]) -> str:
        """Return the line that answers the next dialogs of a page."""

    @abstractmethod
    def write_test(
        self,
        lines: Sequence[str],
        options: Mapping[str, Value],
        test_ids: str,
    ) -> str:
        """Return a file with one test.

        Args:
            lines: The lines of its body.
            options: The options of the default context.
            test_ids: The attribute of the test ids; "" for Playwright's default.
        """
