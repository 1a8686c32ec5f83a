"""One successful call, as the translation into statements sees it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from viewpoint_mcp.tools.codegen.statements import Comment, Method, Statement, Value

if TYPE_CHECKING:
    from viewpoint_mcp.page.locators.generated_locator import GeneratedLocator
    from viewpoint_mcp.page.page import Page
    from viewpoint_mcp.tools.core.result import ToolResult


@dataclass(slots=True)
class RecordedCall:
    """One successful call of a page tool.

    Attributes:
        tool_name: The name of the tool.
        args: Its parsed arguments.
        page: The page that it acted on.
        page_name: The variable of the page.
        locators: The generated locators of the elements that it used, by the text of the argument.
        result: The result of the tool.
    """

    tool_name: str
    args: Any
    page: Page
    page_name: str
    locators: dict[str, GeneratedLocator] = field(default_factory=dict)
    result: ToolResult | None = None

    def locator(self, ref: str) -> GeneratedLocator | None:
        """Return the locator of an argument; None if the element has none in Playwright."""
        found = self.locators.get(ref)
        return None if found is None or found.is_closed else found

    def on_element(self, ref: str, method: str, *arguments: Value, **options: Value) -> Statement:
        """Return the call of a method of the locator of an argument."""
        locator = self.locator(ref)
        if locator is None:
            return self.cannot_be_written("Playwright cannot find its element")
        return Method(self.page_name, method, arguments, options, locator.steps)

    def on_page(
        self, method: str, *arguments: Value, options: Mapping[str, Value] | None = None
    ) -> Method:
        """Return the call of a method of the page, or of a property of it."""
        return Method(self.page_name, method, arguments, options or {})

    def cannot_be_written(self, reason: str = "") -> Comment:
        """Return a comment instead of code."""
        because = f": {reason}" if reason else ""
        text = f"{self.tool_name} has no equivalent in Playwright{because}."
        return Comment(" ".join(text.split()), is_substitute=True)
