"""The session as one test of Playwright."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from viewpoint_mcp.accessibility.search.locator_code import LocatorLanguage
from viewpoint_mcp.accessibility.search.playwright_locator import DEFAULT_TEST_IDS
from viewpoint_mcp.tools.codegen.statements import Comment, Expectation
from viewpoint_mcp.tools.codegen.writers import make_writer

if TYPE_CHECKING:
    from viewpoint_mcp.tools.codegen.recorder import SessionRecorder


@dataclass(frozen=True, slots=True)
class TestScript:
    """A file with the test, and what it contains.

    Attributes:
        suffix: The suffix of the file.
        action_count: The number of statements that act.
        verification_count: The number of assertions.
        comments: The comments about calls that code cannot express.
    """

    __test__ = False  # pytest collects classes by their names

    text: str
    suffix: str
    action_count: int
    verification_count: int
    comments: list[str]


def write_test_script(recorder: SessionRecorder, language: LocatorLanguage) -> TestScript:
    """Return the test of a session. Screenshots and PDFs are left out."""
    settings = recorder.settings
    writer = make_writer(language, settings.secrets.values)
    passages = [each for each in recorder.passages if not each.is_observation]
    statements = [statement for passage in passages for statement in passage.statements]
    lines = [line for passage in passages for line in writer.write_passage(passage)]
    test_ids = "" if settings.test_ids == DEFAULT_TEST_IDS else ",".join(settings.test_ids)
    text = writer.write_test(lines, recorder.context_options, test_ids)
    verifications = sum(isinstance(each, Expectation) for each in statements)
    comments = [each for each in statements if isinstance(each, Comment)]
    actions = len(statements) - verifications - len(comments)
    substitutes = [each.text for each in comments if each.is_substitute]
    return TestScript(
        settings.secrets.mask(text), writer.suffix, actions, verifications, substitutes
    )
