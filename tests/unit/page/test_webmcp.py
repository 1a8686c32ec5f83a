"""The tools of a page in a browser without WebMCP, and in frames that change their process."""

from __future__ import annotations

from cdp_protocol import Connection
from tests.unit.cdp.fake_transport import FakeTransport
from tests.unit.page.tab import ScriptedTab
from tests.unit.page.test_frames import info
from viewpoint_mcp.page.frames import FrameTree
from viewpoint_mcp.page.webmcp.offered_tools import OfferedTools

TOOL = {"name": "buy", "description": "Buy", "frameId": "M"}


async def test_a_browser_without_the_domain_is_not_supported(
    tab: ScriptedTab, transport: FakeTransport
) -> None:
    transport.set_error("WebMCP.enable", "'WebMCP.enable' wasn't found", code=-32601)
    tools = OfferedTools(FrameTree(lambda _frame: None))
    await tools.subscribe(tab.session)
    assert not tools.is_supported
    assert tools.count == 0


async def test_a_frame_that_moved_to_another_process_offers_the_tools_of_that_one(
    tab: ScriptedTab, transport: FakeTransport, connection: Connection
) -> None:
    frames = FrameTree(lambda _frame: None)
    frames.add_tree({"frame": info("M", loader="L1")}, tab.session)
    tools = OfferedTools(frames)
    await tools.subscribe(tab.session)
    await tab.emit("WebMCP.toolsAdded", tools=[TOOL])
    ((_, before),) = tools
    transport.announce_attached("P2")
    await connection.root.send("Browser.getVersion")
    other = ScriptedTab(connection.session("P2"), transport)
    await tools.subscribe(other.session)
    await other.emit("WebMCP.toolsAdded", tools=[TOOL])
    assert [tool for _, tool in tools] == [before]
    await tab.emit("Page.frameDetached", frameId="M", reason="swap")
    frames.add_tree({"frame": info("M", loader="L2")}, other.session)
    ((_, after),) = tools
    assert before.document_left.is_set()
    assert not tools.has(before)
    assert after.session is other.session
    await tools.close()
