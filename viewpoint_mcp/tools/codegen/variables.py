"""The variables of the contexts and pages of a session, in the order of their first use."""

from __future__ import annotations

from typing import TYPE_CHECKING

from viewpoint_mcp.tools.codegen.context_options import make_context_options
from viewpoint_mcp.tools.codegen.statements import Comment, Method, Statement, Value

if TYPE_CHECKING:
    from viewpoint_mcp.browser.context import Context

_BLANK = ("", "about:blank", "chrome://newtab/", "chrome://new-tab-page/")


class Variables:
    """Gives each context and each page a variable.

    `context` and `page` are those that a test gets: the first context, and its first page.
    """

    def __init__(self) -> None:
        self._contexts: dict[Context, str] = {}
        self._pages: dict[str, str] = {}  # by target id
        self._context_count = 0
        self._is_first_page_used = False
        self._page_count = 0
        self._chooser_count = 0

    def find_page(self, target_id: str) -> str | None:
        """Return the variable of a page; None if it has none yet."""
        return self._pages.get(target_id)

    def drop_page(self, target_id: str) -> str | None:
        """Return the variable of a page that was closed, and forget it."""
        return self._pages.pop(target_id, None)

    def name_page(self, target_id: str) -> str:
        """Return a new variable for a page: page1, page2."""
        self._page_count += 1
        name = self._pages[target_id] = f"page{self._page_count}"
        return name

    def name_file_chooser(self) -> str:
        """Return a new variable for a file chooser."""
        name = f"fileChooser{self._chooser_count or ''}"
        self._chooser_count += 1
        return name

    def declare_context(self, context: Context) -> tuple[str, list[Statement]]:
        """Return the variable of a context, and the statements that create the context.

        The first context that no call created is the one that a test gets.
        """
        known = self._contexts.get(context)
        if known is not None:
            return known, []
        if "context" not in self._contexts.values():
            self._contexts[context] = "context"
            return "context", []
        return self.declare_new_context(context)

    def declare_new_context(self, context: Context) -> tuple[str, list[Statement]]:
        """Return the variable of a context that a call created, and the statements."""
        self._context_count += 1
        name = self._contexts[context] = f"context{self._context_count}"
        options = make_context_options(context.options.emulation, context.options.storage_state)
        made = Method("browser", "newContext", (), options, result=name)
        comments = [Comment(f'Context "{" ".join(context.name.split())}"')]
        if context.options.proxy is not None:
            comments.append(Comment("It used a proxy, which is not written here."))
        return name, [*comments, made]

    def drop_context(self, context: Context) -> str | None:
        """Return the variable of a context that was closed, and forget it and its pages."""
        for tab in context.tabs:
            self._pages.pop(tab.target_id, None)
        return self._contexts.pop(context, None)

    def declare_page(
        self, target_id: str, context: Context, url: str
    ) -> tuple[str, list[Statement]]:
        """Return the variable of a page, and the statements that open it.

        Args:
            url: URL that the page shows already.
        """
        known = self._pages.get(target_id)
        if known is not None:
            return known, []
        context_name, statements = self.declare_context(context)
        if context_name == "context" and not self._is_first_page_used:
            self._is_first_page_used = True
            name = self._pages[target_id] = "page"
        else:
            name = self.name_page(target_id)
            statements.append(Method(context_name, "newPage", result=name))
        if url not in _BLANK:
            arguments: tuple[Value, ...] = (url,)
            statements.append(Method(name, "goto", arguments))
        return name, statements
