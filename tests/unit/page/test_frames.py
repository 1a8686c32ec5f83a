"""The frames of a page, kept from the browser's events."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any, cast

import pytest

from cdp_protocol import Connection
from tests.unit.cdp.fake_transport import FakeTransport
from tests.unit.page.tab import ScriptedTab
from viewpoint_mcp.page.frames import Frame, FrameTree

if TYPE_CHECKING:
    from cdp_protocol.types import page as cdp


class Page:
    """A frame tree that begins with a main frame M, and the frames that lost their document."""

    def __init__(self, tab: ScriptedTab) -> None:
        self.tab = tab
        self.replaced: list[str] = []
        self.frames = FrameTree(lambda frame: self.replaced.append(frame.id))
        self.frames.subscribe(tab.session)
        self.frames.add_tree({"frame": info("M", loader="L1")}, tab.session)

    async def attach(self, frame: str, parent: str = "M") -> None:
        await self.tab.emit("Page.frameAttached", frameId=frame, parentFrameId=parent)

    async def navigate(self, frame: str, loader: str, **more: Any) -> None:
        await self.tab.emit("Page.frameNavigated", frame=info(frame, loader=loader, **more))

    async def detach(self, frame: str, reason: str = "remove") -> None:
        await self.tab.emit("Page.frameDetached", frameId=frame, reason=reason)

    def frame(self, frame_id: str) -> Frame:
        frame = self.frames.get(frame_id)
        assert frame is not None
        return frame

    def ids(self) -> list[str]:
        return [frame.id for frame in self.frames]


def info(frame: str, *, loader: str, **more: Any) -> cdp.Frame:
    origin = f"http://{frame.lower()}"
    fields = {"id": frame, "loaderId": loader, "url": f"{origin}/", "securityOrigin": origin}
    return cast("cdp.Frame", {**fields, **more})


@pytest.fixture
def page(tab: ScriptedTab) -> Page:
    return Page(tab)


async def test_the_tree_is_copied_with_its_numbers(page: Page) -> None:
    child: cdp.FrameTree = {"frame": info("A", loader="L2", parentId="M"), "childFrames": []}
    tree: cdp.FrameTree = {"frame": info("M", loader="L1"), "childFrames": [child]}
    page.frames.add_tree(tree, page.tab.session)
    assert [(frame.id, frame.number, frame.url) for frame in page.frames] == [
        ("M", 0, "http://m/"),
        ("A", 1, "http://a/"),
    ]
    assert page.frame("A").parent is page.frames.main


async def test_the_tree_is_empty_before_the_first_event() -> None:
    frames = FrameTree(lambda frame: None)
    assert frames.main_id == ""
    assert list(frames) == []


async def test_a_frame_that_is_attached_gets_the_next_number(page: Page) -> None:
    await page.attach("A")
    await page.attach("B", parent="A")
    assert [frame.number for frame in page.frames] == [0, 1, 2]
    assert page.frame("B").parent is page.frame("A")
    assert page.frames.get_by_number(2) is page.frame("B")


async def test_a_frame_that_is_reported_twice_is_one_frame(page: Page) -> None:
    await page.attach("A")
    await page.navigate("A", "L2", parentId="M")
    child: cdp.FrameTree = {"frame": info("A", loader="L2", parentId="M")}
    tree: cdp.FrameTree = {"frame": info("M", loader="L1"), "childFrames": [child]}
    page.frames.add_tree(tree, page.tab.session)
    assert page.ids() == ["M", "A"]
    assert page.frame("A").number == 1


async def test_a_navigation_gives_a_frame_a_new_document(page: Page) -> None:
    await page.attach("A")
    await page.navigate("A", "L2", parentId="M")
    assert (page.frame("A").document_id, page.frame("A").url) == ("L2", "http://a/")
    assert page.replaced == ["A"]


async def test_element_numbers_continue_over_navigations(page: Page) -> None:
    page.frames.main.element_numbers.mark_numbers_below_as_used(17)
    await page.navigate("M", "L2")
    assert page.frames.main.element_numbers.next_number == 17


async def test_a_navigation_of_the_parent_removes_all_below(page: Page) -> None:
    await page.attach("A")
    await page.attach("B", parent="A")
    await page.navigate("M", "L2")
    assert page.ids() == ["M"]
    assert sorted(page.replaced) == ["A", "B", "M"]


async def test_removing_a_frame_removes_its_descendants(page: Page) -> None:
    await page.attach("A")
    await page.attach("B", parent="A")
    await page.detach("A")
    assert page.ids() == ["M"]
    assert sorted(page.replaced) == ["A", "B"]


async def test_a_number_is_never_used_twice(page: Page) -> None:
    await page.attach("A")
    await page.detach("A")
    await page.attach("A")
    assert page.frame("A").number == 2
    await page.navigate("M", "L2")
    await page.attach("B")
    assert page.frame("B").number == 3


async def test_a_frame_that_changes_its_process_stays(page: Page) -> None:
    await page.attach("A")
    await page.detach("A", reason="swap")
    assert page.frame("A").number == 1
    assert page.replaced == []


async def test_a_frame_in_another_process_is_reported_by_another_session(
    page: Page, connection: Connection, transport: FakeTransport
) -> None:
    await page.attach("A")
    transport.announce_attached("P2")
    await connection.root.send("Browser.getVersion")
    other = ScriptedTab(connection.session("P2"), transport)
    page.frames.subscribe(other.session)
    await other.emit("Page.frameNavigated", frame=info("A", loader="L2", parentId="M"))
    assert page.frame("A").session is other.session
    assert page.frame("A").number == 1


async def test_the_end_of_an_unknown_frame_is_ignored(page: Page) -> None:
    await page.detach("X")
    assert page.ids() == ["M"]


async def test_a_prerendered_page_takes_the_main_frames_place(page: Page) -> None:
    await page.attach("A")
    await page.navigate("N", "L2")
    assert page.ids() == ["N"]
    assert page.frames.main.number == 0
    assert page.frames.main_id == "N"
    assert page.frames.main.document_id == "L2"


async def test_a_move_within_the_document_changes_only_the_url(page: Page) -> None:
    await page.tab.emit("Page.navigatedWithinDocument", frameId="M", url="http://m/#there")
    assert page.frames.main.url == "http://m/#there"
    assert page.frames.main.document_id == "L1"
    assert page.replaced == []


async def test_the_fragment_belongs_to_the_url(page: Page) -> None:
    await page.navigate("M", "L2", urlFragment="#there")
    assert page.frames.main.url == "http://m/#there"


async def test_an_error_page_has_the_url_that_failed(page: Page) -> None:
    await page.navigate("M", "L2", unreachableUrl="http://down/")
    assert page.frames.main.url == "http://down/"


async def test_the_empty_document_of_a_new_tab_is_about_blank(page: Page) -> None:
    page.frames.add_tree({"frame": info("M", loader="L2", url="")}, page.tab.session)
    assert page.frame("M").url == "about:blank"


async def test_a_frame_is_below_its_parents_and_not_below_itself(page: Page) -> None:
    await page.attach("A")
    await page.attach("B", parent="A")
    main, a, b = page.frames
    assert main.list_descendants() == [a, b]
    assert a.list_descendants() == [b]
    assert b.list_descendants() == []


async def test_frames_may_be_nested_deeper_than_python_calls(page: Page) -> None:
    for number in range(1500):
        await page.attach(f"F{number}", parent=f"F{number - 1}" if number else "M")
    assert [each.number for each in page.frame("M").list_descendants()] == list(range(1, 1501))

    await page.navigate("M", "L2")
    assert list(page.frames) == [page.frame("M")]
    assert page.frame("M").list_descendants() == []


async def test_frames_may_be_removed_during_the_iteration(page: Page) -> None:
    await page.attach("A")
    walked = iter(page.frames)
    await page.detach("A")
    assert [frame.id for frame in walked] == ["M", "A"]


# ---- worlds


async def test_concurrent_calls_share_one_new_world(page: Page) -> None:
    transport = page.tab.transport
    transport.set_result("Page.createIsolatedWorld", {"executionContextId": 5})
    transport.set_result("Runtime.evaluate", {"result": {"objectId": "api"}})
    first = await page.frames.main.world()
    assert await page.frames.main.world() is first
    assert [call["method"] for call in transport.sent].count("Page.createIsolatedWorld") == 1


async def test_a_document_that_came_while_its_world_was_made_has_one_world(page: Page) -> None:
    """Two worlds in one document would number its elements twice."""
    transport = page.tab.transport
    transport.set_result("Page.createIsolatedWorld", {"executionContextId": 5})
    transport.withhold("Runtime.evaluate")
    asking = asyncio.create_task(page.frames.main.world())
    first = await transport.wait_until_sent("Runtime.evaluate")
    await page.navigate("M", "L2")
    transport.respond(first, {"result": {"objectId": "old"}})
    again = asyncio.create_task(page.frames.main.world())
    second = await transport.wait_until_sent("Runtime.evaluate", times=2)
    transport.respond(second, {"result": {"objectId": "new"}})
    assert await asking is await again


async def test_a_new_document_has_a_new_world(page: Page) -> None:
    transport = page.tab.transport
    transport.set_result("Page.createIsolatedWorld", {"executionContextId": 5})
    transport.set_result("Runtime.evaluate", {"result": {"objectId": "api"}})
    first = await page.frames.main.world()
    await page.navigate("M", "L2")
    assert await page.frames.main.world() is not first


async def test_the_origins_of_all_its_documents_are_kept(page: Page) -> None:
    await page.attach("A")
    await page.navigate("A", "L2")
    await page.detach("A")
    await page.navigate("M", "L3", securityOrigin="https://m.test")
    assert page.frames.origins == {"http://m", "http://a", "https://m.test"}


@pytest.mark.parametrize("origin", ["://", "null", "file://", "chrome://version"])
async def test_an_origin_that_is_not_of_the_web_is_not_stored(page: Page, origin: str) -> None:
    await page.navigate("M", "L2", securityOrigin=origin)
    assert page.frames.origins == {"http://m"}
