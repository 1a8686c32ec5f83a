"""The elements of a page, found by a ref, a CSS selector or a locator."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final

from viewpoint_mcp.accessibility.known.known_parts import is_part_of_site
from viewpoint_mcp.accessibility.refs import (
    Ref,
    make_ref_prefix,
    make_stale_ref_error,
)
from viewpoint_mcp.accessibility.search.candidate_list import list_candidates
from viewpoint_mcp.accessibility.search.found_elements import (
    FoundElement,
    find_elements_with_ref,
)
from viewpoint_mcp.accessibility.search.playwright_locator import (
    Step,
    parse_playwright_locator,
)
from viewpoint_mcp.accessibility.tree import Node
from viewpoint_mcp.errors import (
    TAKE_NEW_SNAPSHOT,
    CallError,
    NoMatchError,
    OtherPageRefError,
    PageTimeoutError,
    StaleRefError,
)
from viewpoint_mcp.page.actions.element import Element
from viewpoint_mcp.page.frames import Frame
from viewpoint_mcp.page.locator import Locator, LocatorPart, describe_steps, parse_locator
from viewpoint_mcp.page.locators.frame_search import locate
from viewpoint_mcp.page.locators.lookup_errors import make_ambiguity_error, make_selector_error
from viewpoint_mcp.page.settle.document_watch import DocumentWatch

if TYPE_CHECKING:
    from viewpoint_mcp.page.locators.test_support import TestSupport
    from viewpoint_mcp.page.services import PageServices

_WAIT_HINT: Final = "Use a ref, or wait for it with browser_wait_for."
_MAX_RANGES = 5
_FORMER_DOCUMENT: Final = "a document that is no longer shown; the page is at {} now"
_EQUAL_ELEMENT_HINT: Final = (
    "An equal element of this page has the same ref. Repeat the call to act on it."
)
_MAX_PASSWORDS: Final = 20
_CHECK_INTERVAL: Final = 0.25  # maximum seconds between two searches


OnFound = Callable[[str, Element], Awaitable[None]]


class ElementLookup:
    """Finds the elements of one page.

    Attributes:
        passwords: The last texts that were typed into its password fields. Records of calls mask
            them.
    """

    def __init__(self, page: PageServices) -> None:
        self._page = page
        self.passwords: deque[str] = deque(maxlen=_MAX_PASSWORDS)
        self._deadline: float | None = None
        self._found_observers: list[OnFound] = []

    @cached_property
    def test_support(self) -> TestSupport:
        """Generates locators, and verifies what the page shows."""
        from viewpoint_mcp.page.locators.test_support import TestSupport

        return TestSupport(self._page)

    @contextmanager
    def wait_for_missing(self, timeout: float | None = None) -> Iterator[None]:
        """Wait in the block until a selector or locator matches.

        Elsewhere, a search fails at once.

        Args:
            timeout: Seconds that all searches in the block share; None for `--timeout-action`.
        """
        outer_deadline = self._deadline
        limit = self._page.timeouts.action if timeout is None else timeout
        self._deadline = asyncio.get_running_loop().time() + limit
        try:
            yield
        finally:
            self._deadline = outer_deadline

    @contextmanager
    def observe_found(self, on_found: OnFound) -> Iterator[None]:
        """Await `on_found` with each element that `find` returns in the block, and its target."""
        self._found_observers.append(on_found)
        try:
            yield
        finally:
            self._found_observers.remove(on_found)

    async def find(self, target: str) -> Element:
        """Return the element that a ref names, or the only one that a selector or locator matches.

        Args:
            target: The ref, the CSS selector, or the locator (see `locator` and
                `playwright_locator`). A selector is evaluated in the main frame, a locator in all
                frames.

        Raises:
            OtherPageRefError: The ref belongs to another page.
            StaleRefError: The ref is unknown, or its document is gone; or no element matches the
                locator.
            CallError: The selector is malformed, or matches no element or several; or several
                elements match the locator.
        """
        element = await self._find(target)
        for on_found in self._found_observers:
            await on_found(target, element)
        return element

    async def _find(self, target: str) -> Element:
        ref = Ref.parse_any_form(target)
        if ref is not None:
            return await self._find_by_ref_in_new_document(ref)
        locator = parse_locator(target)
        if locator is None:
            return await self._find_in_document(target, self._parse(target))
        return await self._find_by_locator(locator)

    async def wait_until_found(self, target: str, timeout: float) -> None:
        """Wait until a selector or locator matches an element, or several.

        Args:
            target: A selector or locator, as in `find`. The element of a ref exists already.
            timeout: Seconds.

        Raises:
            PageError: Nothing matches within the time.
            CallError: The selector is malformed.
            StaleRefError: The ref is unknown, or its element was removed.
        """
        if Ref.parse_any_form(target) is not None:
            element = await self.find(target)
            await element.check_exists()
            return
        locator = parse_locator(target)
        with self.wait_for_missing(timeout):
            while not await self._has_match(target, locator):
                if not await self.wait_for_change():
                    raise PageTimeoutError(
                        f"{target} is not on the page after {timeout:g} s.", TAKE_NEW_SNAPSHOT
                    )

    def get_by_number(self, frame: Frame, number: int, *, selector: str = "") -> Element:
        """Return the element that has this number in the registry of the frame.

        Args:
            selector: The CSS selector or locator that found it; "" for none.
        """
        page = self._page
        ref = Ref(page.context_number, page.page_number, frame.number, number)
        return Element(page, frame, ref, None, selector=selector)

    def register_ref(self, frame: Frame, number: int, role: str, name: str) -> Element:
        """Return the element that has this number in the registry, and make its ref valid.

        Args:
            role: The role of the element, for later messages about the ref.
            name: The accessible name of the element, likewise.
        """
        page = self._page
        ref = Ref(page.context_number, page.page_number, frame.number, number)
        page.refs.remember_element(ref, role, name, frame.document_id)
        return Element(page, frame, ref, page.refs.find_printed_element(ref))

    async def list_similar(self, role: str, name: str) -> list[str]:
        """Return the elements that a role and name may mean, as a snapshot prints them."""
        elements = await self._list_elements()
        similar = Locator(LocatorPart(role, name)).find_similar(elements)
        return list_candidates(similar, elements)

    async def list_with_role(self, role: str) -> list[str]:
        """Return the elements with a role, as a snapshot prints them."""
        elements = await self._list_elements()
        found = [each for each in elements if each.node.role == role and not each.is_hidden]
        return list_candidates(found, elements)

    async def _find_by_ref_in_new_document(self, ref: Ref) -> Element:
        """Return the element of a ref, which may carry over to a document not yet shown.

        The agent does not know that document. So only elements of its navigation, banner and the
        like are found; they are the same on each page of a site.
        """
        from viewpoint_mcp.page.snapshot.page_snapshot import take_snapshot

        page = self._page
        baselines = page.baselines
        try:
            element = self._find_by_ref(ref)
        except StaleRefError as error:
            baseline, document_id = baselines.current, page.frames.main.document_id
            if not baseline.has_shown_trees or baseline.nodes_for(document_id) is not None:
                raise
            capture = await take_snapshot(page, None)
            if not is_part_of_site(capture.nodes, str(ref)):
                printed = page.refs.find_printed_element(ref)
                if printed is not None and printed.document_id == page.frames.main.document_id:
                    error.hint = _EQUAL_ELEMENT_HINT
                raise
            return self._find_by_ref(ref)
        if baselines.is_from_unseen_document(str(ref)):  # another reader's call replaced it
            capture = await take_snapshot(page, None)
            if not is_part_of_site(capture.nodes, str(ref)):
                printed = page.refs.find_printed_element(ref)
                assert printed is not None
                location = _FORMER_DOCUMENT.format(page.frames.main.url)
                stale = make_stale_ref_error(ref, printed, f"belongs to {location}")
                stale.hint = _EQUAL_ELEMENT_HINT
                baselines.current.has_seen_document = True  # the reply to this call describes it
                raise stale
        return element

    def _find_by_ref(self, ref: Ref) -> Element:
        page = self._page
        if (ref.context, ref.page) != (page.context_number, page.page_number):
            message = f"Ref {ref} belongs to another page."
            raise OtherPageRefError(
                message, TAKE_NEW_SNAPSHOT, context_number=ref.context, page_number=ref.page
            )
        frame = page.frames.get_by_number(ref.frame)
        printed = page.refs.find_printed_element(ref)
        if frame is not None and printed is not None and frame.document_id == printed.document_id:
            return Element(page, frame, ref, printed)
        if ref.frame >= page.frames.lowest_unused_frame_number or (
            frame and (printed is None or ref.element >= frame.element_numbers.next_number)
        ):
            raise self._unknown_ref_error(ref)
        location = _FORMER_DOCUMENT.format(page.frames.main.url)
        if frame is None:
            location = "a frame that is no longer on the page"
        if printed is None:
            raise StaleRefError(f"Ref {ref} belongs to {location}.", TAKE_NEW_SNAPSHOT)
        raise make_stale_ref_error(ref, printed, f"belongs to {location}")

    def _unknown_ref_error(self, ref: Ref) -> StaleRefError:
        """Return the error for a ref that was never printed. It lists ranges of valid refs."""
        page = self._page
        ranges = [
            str(Ref(page.context_number, page.page_number, frame, first))
            + (
                f" to {make_ref_prefix(page.context_number, page.page_number, frame)}e{last}"
                if last > first
                else ""
            )
            for frame, (first, last) in page.refs.element_number_range_by_frame().items()
        ]
        more = ", ..." if len(ranges) > _MAX_RANGES else ""
        there_are = f" Valid refs: {', '.join(ranges[:_MAX_RANGES])}{more}." if ranges else ""
        return StaleRefError(
            f"Ref {ref} does not exist on this page.{there_are}", TAKE_NEW_SNAPSHOT
        )

    async def _find_by_locator(self, locator: Locator) -> Element:
        while not (matches := await self._match_locator(locator)):
            if not await self.wait_for_change():
                raise await self._make_no_match_error(str(locator), locator)
        if len(matches) > 1:
            narrower = locator.narrow(matches)
            example = f", or name what contains it: {narrower}" if narrower else ""
            raise make_ambiguity_error(str(locator), len(matches), matches, matches, example)
        ref = Ref.parse(matches[0].node.ref)
        assert ref is not None
        return self._find_by_ref(ref)

    async def _match_locator(self, locator: Locator) -> list[FoundElement]:
        """Return the elements that match the locator. Structure has refs only if nothing else
        matches.
        """
        for all_refs in (False, True):
            if matches := locator.find_matches(await self._list_elements(all_refs=all_refs)):
                return matches
        return []

    async def _make_no_match_error(self, target: str, locator: Locator | None) -> NoMatchError:
        """Return the error for a locator that matches nothing. It lists similar elements.

        Args:
            locator: The locator, or one that describes the element; None for none.
        """
        error = NoMatchError(f"No element on this page is {target}.", _WAIT_HINT)
        if locator is not None:
            elements = await self._list_elements()
            error.similar_elements = list_candidates(locator.find_similar(elements), elements)
        return error

    async def _list_elements(self, *, all_refs: bool = False) -> list[FoundElement]:
        from viewpoint_mcp.accessibility.capture_options import CaptureOptions
        from viewpoint_mcp.page.snapshot.page_snapshot import take_snapshot

        options = CaptureOptions(all_refs=all_refs)
        return find_elements_with_ref((await take_snapshot(self._page, None, options)).nodes)

    async def _find_in_document(self, target: str, steps: Sequence[Step] | None) -> Element:
        """Return the only element that a CSS selector or the steps of a locator lead to."""
        while True:
            frame, answer = await self._query_document(target, steps)
            if "number" in answer:
                return self.get_by_number(frame, answer["number"], selector=target)
            if answer.get("matches"):
                raise await self._make_several_error(target, answer, frame)
            if "matches" not in answer or not await self.wait_for_change():
                if steps is None or answer.get("invalid"):
                    raise make_selector_error(target, answer)
                raise await self._make_no_match_error(target, describe_steps(steps))

    async def _make_several_error(
        self, target: str, answer: dict[str, Any], frame: Frame
    ) -> CallError:
        """Return the error for a selector or locator that several elements of a frame match."""
        everything = await self._list_elements()
        found_by_ref = {each.node.ref: each for each in everything}
        listed = []
        for number in answer["first"]:
            element = self.get_by_number(frame, number)
            found = found_by_ref.get(str(element.ref)) or await self._find_unlisted(element)
            listed.append(found)
        everything += [each for each in listed if each.node.ref not in found_by_ref]
        return make_ambiguity_error(target, answer["matches"], listed, everything)

    async def _find_unlisted(self, element: Element) -> FoundElement:
        """Return an element that has no ref in a snapshot, and make its ref valid."""
        from viewpoint_mcp.page.snapshot.page_snapshot import take_snapshot

        described = await self._page.call_inpage(element.frame, "describe", element.ref.element)
        role, name = (described["role"], described["name"]) if described else ("generic", "")
        self.register_ref(element.frame, element.ref.element, role, name)
        content: Sequence[Node | str] = ()
        with suppress(StaleRefError):
            capture = await take_snapshot(self._page, element)
            content = capture.nodes
        properties = {"ref": element.ref.element} | ({} if content else {"hidden": True})
        return FoundElement(Node(role, name, properties, list(content), str(element.ref)))

    async def _query_document(
        self, target: str, steps: Sequence[Step] | None
    ) -> tuple[Frame, dict[str, Any]]:
        """Return a frame, and the answer of `find` or `locate` of `inpage` in it.

        A selector is evaluated in the main frame, a locator in the first frame where it matches. If
        the document is replaced meanwhile, and the search may wait, nothing matches yet.
        """
        from viewpoint_mcp.page.services import DocumentReplacedError

        page, main = self._page, self._page.frames.main
        try:
            if steps is None:
                return main, await page.call_inpage(main, "find", target)
            return await locate(page, steps)
        except DocumentReplacedError:
            if self._deadline is None:
                raise
            return main, {"matches": 0}

    def _parse(self, target: str) -> Sequence[Step] | None:
        """Return the steps of a Playwright locator; None for a CSS selector."""
        return parse_playwright_locator(target, self._page.test_ids)

    async def _has_match(self, target: str, locator: Locator | None) -> bool:
        if locator is not None:
            return bool(await self._match_locator(locator))
        _, answer = await self._query_document(target, self._parse(target))
        if answer.get("invalid"):
            raise make_selector_error(target, answer)
        return answer.get("matches") != 0

    async def wait_for_change(self) -> bool:
        """Wait for a change of the main frame, or for a moment. Return False if the time is over.

        Styles and other frames can change without a change of the main frame's document.
        """
        if self._deadline is None:
            return False
        seconds_left = self._deadline - asyncio.get_running_loop().time()
        if seconds_left <= 0:
            return False
        watch = DocumentWatch([self._page.frames.main])
        await self._page.run_unless_blocked(watch.start_counting())
        await self._page.run_unless_blocked(
            watch.wait_for_change(min(seconds_left, _CHECK_INTERVAL))
        )
        return True
