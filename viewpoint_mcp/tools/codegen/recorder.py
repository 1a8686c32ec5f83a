"""The record of one client's session, as passages of Playwright code."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext, suppress
from typing import TYPE_CHECKING, Any, Final

from msgspec.structs import replace

from viewpoint_mcp.errors import ViewpointError
from viewpoint_mcp.page.locators.verification import VisibleMatch
from viewpoint_mcp.page.network.url_to_open import complete_url
from viewpoint_mcp.tools.codegen.action_statements import OBSERVATIONS, PAGE_TRANSLATIONS
from viewpoint_mcp.tools.codegen.browser_statements import (
    BROWSER_TRANSLATIONS,
    BrowserCall,
    describe_untranslated,
)
from viewpoint_mcp.tools.codegen.context_options import make_context_options
from viewpoint_mcp.tools.codegen.recorded_call import RecordedCall
from viewpoint_mcp.tools.codegen.statements import (
    Comment,
    DialogAnswer,
    Method,
    Passage,
    Statement,
    Value,
)
from viewpoint_mcp.tools.codegen.variables import Variables
from viewpoint_mcp.tools.codegen.verification_statements import MATCH
from viewpoint_mcp.tools.codegen.writers import make_writer

if TYPE_CHECKING:
    from viewpoint_mcp.browser.client_workspace import Workspace
    from viewpoint_mcp.browser.context import Context
    from viewpoint_mcp.browser.tabs.tab import Tab
    from viewpoint_mcp.config.settings import Settings
    from viewpoint_mcp.files.file_access import FileAccess
    from viewpoint_mcp.page.actions.element import Element
    from viewpoint_mcp.page.page import Page
    from viewpoint_mcp.tools.core.result import ToolResult
    from viewpoint_mcp.tools.core.tool import Tool

_MAX_PASSAGES: Final = 10_000
_WITHOUT_EFFECT: Final = frozenset({"read", "record"})  # kinds of tools
_FILE_INPUT: Final = {"kind": "css", "selector": 'input[type="file"]'}


class SessionRecorder:
    """Runs the calls of one client, and records those that succeed.

    Attributes:
        passages: The passages of the session.
        failed_count: The number of calls that failed, which are not recorded.
    """

    def __init__(self, workspace: Workspace, settings: Settings) -> None:
        self._workspace = workspace
        self._settings = settings
        self._variables = Variables()
        language = None if settings.codegen == "none" else settings.codegen
        self._writer = make_writer(language, settings.secrets.values) if language else None
        self.passages: list[Passage] = []
        self.failed_count = 0

    @property
    def files(self) -> FileAccess:
        """The directories of saved files."""
        return self._workspace.files

    @property
    def settings(self) -> Settings:
        """The settings of the server."""
        return self._settings

    @property
    def context_options(self) -> dict[str, Value]:
        """The options of the default context."""
        options = self._workspace.new_context_options
        return make_context_options(options.emulation, self._settings.storage_state)

    async def run_on_page(
        self, tool: Tool[Any], args: Any, page: Page, context: Context
    ) -> ToolResult:
        """Run a page tool and record it. The result has the code, if the reply shows it.

        Raises:
            ViewpointError: The call failed. It is not recorded.
        """
        name, opening = self._open_page(tool, page, context)
        if opening:
            self._add(Passage("", opening))
        call = RecordedCall(tool.name, args, page, name)
        had_dialog = page.blockers.dialog is not None
        had_chooser = page.blockers.file_chooser is not None
        ids_before = self._list_tab_ids()
        try:
            # A tool that does not wait for the page may run beside another one, and finds nothing.
            with self._observe_found(call) if tool.waits_for_page else nullcontext():
                call.result = result = await tool(page, args)
        except ViewpointError:
            self.failed_count += 1
            raise
        if isinstance(result.verified, VisibleMatch):
            await self._note_match(call, result.verified)
        if tool.name == "browser_handle_dialog":
            recorded, shown = self._record_dialog_answer(call, had_dialog=had_dialog)
        else:
            action = self._record_action(tool, call, had_chooser=had_chooser)
            if action is None:
                return result
            recorded = shown = action
        self._note_popups(recorded, page, ids_before)
        return self._show(result, [*([Passage("", opening)] if opening else ()), shown])

    async def run_on_browser(self, tool: Tool[Any], args: Any) -> ToolResult:
        """Run a browser tool and record it, as `run_on_page` does."""
        before = {tab.target_id: tab for tab in self._workspace.tabs}
        contexts_before = self._list_contexts()
        try:
            result = await tool(self._workspace, args)
        except ViewpointError:
            self.failed_count += 1
            raise
        passages = self._translate_browser_call(tool, args, before, contexts_before)
        if tool.name == "browser_ask_user" and self._is_last_statement_of(passages):
            return result  # a second call waits for the same person
        for passage in passages:
            self._add(passage)
        return self._show(result, passages)

    def _open_page(
        self, tool: Tool[Any], page: Page, context: Context
    ) -> tuple[str, list[Statement]]:
        """Return the variable of a page, and the statements that open it.

        A page that another one opened between two calls belongs to the last passage of that page.
        """
        known = self._variables.find_page(page.target_id)
        if known is not None:
            return known, []
        tab = next((each for each in context.tabs if each.target_id == page.target_id), None)
        opener = self._variables.find_page(tab.opener_id or "") if tab is not None else None
        passage = self._last_passage_of(opener) if opener else None
        if passage is not None:
            name = self._variables.name_page(page.target_id)
            passage.popups.append(name)
            return name, []
        url = "" if tool.name == "browser_navigate" else page.url
        return self._variables.declare_page(page.target_id, context, url)

    async def _note_match(self, call: RecordedCall, match: VisibleMatch) -> None:
        """Generate the locator of an element that a verification found, by what a person sees."""
        with suppress(ViewpointError):
            support = call.page.elements.test_support
            locator = await support.generate_locator(match.element, uses_test_ids=False)
            call.locators[MATCH] = locator

    def _observe_found(self, call: RecordedCall) -> AbstractContextManager[None]:
        """Generate the locator of each element that a call finds, before it acts on it."""

        async def note_element(target: str, element: Element) -> None:
            with suppress(ViewpointError):  # the action reports it
                support = call.page.elements.test_support
                call.locators[target] = await support.generate_locator(element)

        return call.page.elements.observe_found(note_element)

    def _record_action(
        self, tool: Tool[Any], call: RecordedCall, *, had_chooser: bool
    ) -> Passage | None:
        """Add the passage of a call and return it; None for a call without an effect."""
        translate = PAGE_TRANSLATIONS.get(tool.name)
        if tool.name == "browser_file_upload":
            statements = self._upload(call, had_chooser=had_chooser)
        elif translate is not None:
            statements = translate(call)
        elif tool.kind in _WITHOUT_EFFECT:
            return None
        else:
            statements = [describe_untranslated(tool.name)]
        passage = Passage(call.page_name, statements, is_observation=tool.name in OBSERVATIONS)
        self._add(passage)
        return passage

    def _upload(self, call: RecordedCall, *, had_chooser: bool) -> list[Statement]:
        paths: list[str] = list(call.args.paths)
        if not had_chooser:
            method = Method(call.page_name, "setInputFiles", (paths,), steps=[_FILE_INPUT])
            return [method]
        opened_by = self._last_passage_of(call.page_name)
        if opened_by is None:
            return [call.cannot_be_written("no recorded action opened the file chooser")]
        opened_by.file_chooser = opened_by.file_chooser or self._variables.name_file_chooser()
        if not paths:
            return [Comment("The file chooser was cancelled.")]
        return [Method(opened_by.file_chooser, "setFiles", (paths,))]

    def _record_dialog_answer(
        self, call: RecordedCall, *, had_dialog: bool
    ) -> tuple[Passage, Passage]:
        """Add the answer to the passage that opened the dialog, whose code must prepare it.

        Return that passage, and one for the reply.
        """
        answer = DialogAnswer(call.args.accept, call.args.prompt_text)
        shown = Passage(call.page_name, [], dialog_answers=[answer])
        passage = self._last_passage_of(call.page_name) if had_dialog else None
        if passage is None:
            self._add(shown)
            return shown, shown
        passage.dialog_answers.append(answer)
        return passage, shown

    def _note_popups(self, passage: Passage, page: Page, ids_before: set[str]) -> None:
        """Add the pages that a call opened to its passage."""
        for tab in self._workspace.tabs:
            is_popup = tab.target_id not in ids_before and tab.opener_id == page.target_id
            if is_popup and self._variables.find_page(tab.target_id) is None:
                passage.popups.append(self._variables.name_page(tab.target_id))

    def _translate_browser_call(
        self,
        tool: Tool[Any],
        args: Any,
        before: dict[str, Tab],
        contexts_before: Sequence[Context],
    ) -> list[Passage]:
        contexts = self._list_contexts()
        statements: list[Statement] = []
        for context in contexts_before:
            if context not in contexts and (name := self._variables.drop_context(context)):
                statements.append(Method(name, "close"))
        if tool.name == "browser_context_create":
            for context in contexts:
                if context not in contexts_before and context.name == args.name:
                    statements += self._variables.declare_new_context(context)[1]
        elif tool.name in ("browser_tabs", "browser_close"):
            return self._translate_tabs(tool, args, before)
        elif tool.name in BROWSER_TRANSLATIONS:
            statements += self._translate_in_context(tool, args)
        elif tool.kind not in (*_WITHOUT_EFFECT, "setup") and tool.name != "browser_context_close":
            statements.append(describe_untranslated(tool.name))
        return [Passage("", statements)] if statements else []

    def _translate_in_context(self, tool: Tool[Any], args: Any) -> list[Statement]:
        context = self._find_context_of(args)
        if context is None:
            return []
        context_name, opening = self._variables.declare_context(context)
        url = context.active_tab.url if context.active_tab is not None else ""
        call = BrowserCall(tool.name, args, context_name, url)
        return [*opening, *BROWSER_TRANSLATIONS[tool.name](call)]

    def _translate_tabs(self, tool: Tool[Any], args: Any, before: dict[str, Tab]) -> list[Passage]:
        now = {tab.target_id: tab for tab in self._workspace.tabs}
        passages: list[Passage] = []
        for target_id in before:
            if target_id not in now and (name := self._variables.drop_page(target_id)):
                passages.append(Passage(name, [Method(name, "close")]))
        if tool.name == "browser_tabs" and args.action == "new":
            for target_id, tab in now.items():
                if target_id in before or tab is not tab.context.active_tab:
                    continue
                context_name, opening = self._variables.declare_context(tab.context)
                name = self._variables.name_page(target_id)
                made = Method(context_name, "newPage", result=name)
                passages.append(Passage("", [*opening, made]))
                if args.url:
                    url = complete_url(args.url, files_allowed=True)
                    passages.append(Passage(name, [Method(name, "goto", (url,))]))
        return passages

    def _find_context_of(self, args: Any) -> Context | None:
        wanted = getattr(args, "context", None) or getattr(args, "name", None)
        named = {context.name: context for context in self._list_contexts()}
        return named.get(wanted or "") or self._workspace.active_context

    def _last_passage_of(self, page_name: str) -> Passage | None:
        """Return the last passage of a page that has an action."""
        passages = (each for each in reversed(self.passages) if each.page == page_name)
        return next((each for each in passages if each.statements), None)

    def _add(self, passage: Passage) -> None:
        if len(self.passages) == _MAX_PASSAGES:
            passage = Passage("", [Comment("The record of the session ends here: it is too long.")])
        if len(self.passages) <= _MAX_PASSAGES:
            self.passages.append(passage)

    def _is_last_statement_of(self, passages: Sequence[Passage]) -> bool:
        """Return whether the record ends with the last statement of new passages."""
        if not passages or not self.passages:
            return False
        return self.passages[-1].statements[-1:] == passages[-1].statements[-1:]

    def _show(self, result: ToolResult, passages: Sequence[Passage]) -> ToolResult:
        if self._writer is None:
            return result
        lines = [line for each in passages for line in self._writer.write_passage(each)]
        return replace(result, code=tuple(lines))

    def _list_tab_ids(self) -> set[str]:
        return {tab.target_id for tab in self._workspace.tabs}

    def _list_contexts(self) -> list[Context]:
        return list(self._workspace.contexts)
