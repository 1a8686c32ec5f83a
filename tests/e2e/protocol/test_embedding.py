"""The server as a library: the example of docs/embedding.md works, and wrong declarations fail when
the server is made.
"""

from __future__ import annotations

import asyncio
import runpy
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx2
import pytest

from tests.e2e.support.client import TIME_LIMIT, StdioClient
from tests.e2e.support.http_client import ACCEPT, HttpClient
from tests.site import Site
from viewpoint_mcp import (
    Args,
    Caller,
    CallError,
    Listening,
    Message,
    NoArgs,
    Resource,
    Server,
    ToolResult,
    UnknownTool,
    plain_tool,
    prompt,
)

DOCUMENT = Path(__file__).parents[3] / "docs" / "embedding.md"


@pytest.fixture(scope="module")
def example(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the document's example, as a file."""
    code = DOCUMENT.read_text().split("```python\n")[1].split("```")[0]
    path = tmp_path_factory.mktemp("example") / "shop.py"
    path.write_text(code)
    return path


async def test_the_example_calls_its_own_tools_and_the_browser_tools_in_one_process(
    example: Path, executable: str, site: Site, tmp_path: Path
) -> None:
    url = site.page('<a href="/a">One</a><a href="/b">Two</a><a href="/ab">Three</a>')
    shop = runpy.run_path(str(example))["shop"]
    server: Server = shop(executable=Path(executable), sandbox=False, output_dir=tmp_path)

    async with server, server.session() as session:
        shown = await session.call("browser_navigate", {"url": url})
        counted = await session.call("shop_links", {"containing": "/a"})
        refused = await session.call("shop_links", {"containing": 5, "of": 1})
        names = [tool["name"] for tool in session.listing]
        with pytest.raises(UnknownTool):
            await session.call("browser_evaluate", {})

    assert not shown.is_error
    assert "### Result\n2 links" in counted.text
    assert refused.is_error
    assert "Unknown argument 'of'" in refused.text
    assert names[:2] == ["shop_links", "shop_order"]
    assert "browser_click" in names


async def test_the_example_serves_a_client_over_stdio(example: Path) -> None:
    stderr = example.parent / "stderr.txt"
    with stderr.open("wb") as sink:
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            example,
            cwd=example.parent,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=sink,
            limit=2**24,
        )
    client = StdioClient(process, stderr)
    try:
        await client.initialize()
        tool = (await client.tools())["shop_order"]
        reply = await client.call("shop_order", item="")
    finally:
        status = await client.close()

    assert tool["description"] == "Order something, once the user agrees."
    assert tool["inputSchema"]["required"] == ["item"]
    assert reply.is_error
    assert reply.text == "### Error\nNothing is ordered. Name the item."
    assert status == 0


def test_importing_the_package_imports_nothing_of_the_browser_or_the_server() -> None:
    code = """if True:
        import sys
        import viewpoint_mcp
        print([name for name in sys.modules if name.startswith(("viewpoint_mcp.", "msgspec"))])
        print([each for each in viewpoint_mcp.__all__ if not hasattr(viewpoint_mcp, each)])
        print(hasattr(viewpoint_mcp, "nothing"))
    """
    completed = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )

    assert completed.stdout.splitlines() == ["[]", "[]", "False"]


@plain_tool("browser_click", title="Click", kind="record")
async def twin(caller: Caller, args: NoArgs) -> ToolResult:
    """Take a name that is taken."""
    return ToolResult("Never.")


@plain_tool("broken", title="Broken", kind="record")
async def broken(caller: Caller, args: NoArgs) -> ToolResult:
    """Fail with an unexpected exception."""
    raise ZeroDivisionError


@plain_tool("fine", title="Fine", kind="record")
async def fine(caller: Caller, args: NoArgs) -> ToolResult:
    """Do well."""
    return ToolResult("Well.")


@prompt("same", title="Same")
async def same(caller: Caller, args: NoArgs) -> list[Message]:
    """Have a name."""
    return []


@pytest.mark.parametrize(
    ("given", "error", "sentence"),
    [
        ({"own_tools": [twin]}, ValueError, "Two tools are called browser_click."),
        ({"prompts": [same, same]}, ValueError, "Two prompts are called same."),
        (
            {"resources": [Resource("a:b", "B", "text/plain", str)] * 2},
            ValueError,
            "Two resources are called a:b.",
        ),
        ({"own_tools": [print]}, TypeError, "is not a tool. Declare it with page_tool"),
        ({"headles": True}, TypeError, "headles"),
    ],
)
def test_a_server_that_cannot_be_is_refused(
    given: dict[str, Any], error: type[Exception], sentence: str
) -> None:
    with pytest.raises(error, match=sentence):
        Server(**given)


def test_a_function_that_is_no_tool_is_refused_by_its_decorator() -> None:
    declare: Any = plain_tool("mine", title="Mine", kind="record")

    async def without_words(caller: Caller, args: NoArgs) -> ToolResult:
        return ToolResult("")

    async def with_one_parameter(args: NoArgs) -> ToolResult:
        """Take too little."""
        return ToolResult("")

    async def without_struct(caller: Caller, args: dict[str, str]) -> ToolResult:
        """Take arguments of a wrong type."""
        return ToolResult("")

    with pytest.raises(TypeError, match="mine needs a docstring"):
        declare(without_words)
    with pytest.raises(TypeError, match="mine must have two annotated parameters"):
        declare(with_one_parameter)
    with pytest.raises(TypeError, match="mine: the second parameter must be a struct"):
        declare(without_struct)


async def test_an_unexpected_exception_of_a_tool_is_reported_without_its_details() -> None:
    async with Server(own_tools=[broken], tools=("-*",)) as server, server.session() as session:
        reply = await session.call("broken", {})

    assert reply.is_error
    assert (
        reply.text
        == "### Error\nbroken failed because of a server error. The log of the server has details."
    )


HERE = Listening(host="127.0.0.1", port=0, asks_for_key=False)


@asynccontextmanager
async def client_at(url: str) -> AsyncIterator[HttpClient]:
    """Return a client with a session."""
    headers = {"accept": ACCEPT}
    async with httpx2.AsyncClient(
        base_url=url, headers=headers, timeout=TIME_LIMIT, trust_env=False, verify=False
    ) as http:
        client = HttpClient(http)
        await client.initialize()
        yield client


async def test_http_clients_are_isolated_however_the_address_is_given(
    executable: str, site: Site, tmp_path: Path
) -> None:
    url = site.page("<title>Of A</title>")
    said: asyncio.Queue[str] = asyncio.Queue()
    server = Server(headless=True, executable=Path(executable), sandbox=False, output_dir=tmp_path)
    async with server, asyncio.TaskGroup() as group:
        serving = group.create_task(server.serve_http(HERE, say=said.put_nowait))
        base = (await said.get()).split()[2]
        async with client_at(base) as a, client_at(base) as b, server.session() as c:
            await a.call("browser_navigate", url=url)
            listed = await b.call("browser_tabs", action="list")
            own = await c.call("browser_tabs", {"action": "list"})
        serving.cancel()

    assert "Of A" not in listed.text
    assert "Of A" not in own.text


async def test_http_clients_cannot_use_the_contexts_of_earlier_calls() -> None:
    async with Server(own_tools=[broken], tools=("-*",)) as server:
        async with server.session() as session:
            await session.call("broken", {})
        with pytest.raises(RuntimeError, match="Call serve_http first"):
            await server.serve_http(HERE)


async def test_a_call_whose_session_ends_during_the_import_opens_no_browser() -> None:
    async with Server(listening=HERE) as server:
        async with server.session() as session:
            call = asyncio.create_task(session.call("browser_tabs", {"action": "new"}))
            await asyncio.sleep(0)
        reply = await call

    assert "The session of this call has ended." in reply.text


async def test_a_failed_import_is_repeated_by_the_next_call(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async with Server(own_tools=[fine], tools=("-*",)) as server, server.session() as session:
        with monkeypatch.context() as trouble:
            trouble.setitem(sys.modules, "viewpoint_mcp.tools.core.sessionless_call_executor", None)
            with pytest.raises(ImportError):
                await session.call("fine", {})
        reply = await session.call("fine", {})

    assert reply.text == "Well."


async def test_http_requires_an_address() -> None:
    async with Server() as server:
        with pytest.raises(TypeError, match="serve_http needs an address"):
            await server.serve_http()


@pytest.mark.parametrize(
    ("host", "asks_for_key", "names"),
    [("0.0.0.0", False, ()), ("::1", False, ("*",)), ("*", True, ())],
)
async def test_http_is_not_served_to_strangers(
    host: str, asks_for_key: bool, names: tuple[str, ...]
) -> None:
    listening = Listening(host=host, port=0, asks_for_key=asks_for_key, allowed_hosts=names)
    async with Server() as server:
        with pytest.raises(CallError):
            await server.serve_http(listening)


class Wide(Args):
    item: str


def test_an_own_struct_is_the_schema_of_a_tool() -> None:
    @plain_tool("wide", title="Wide", kind="record")
    async def wide(caller: Caller, args: Wide) -> ToolResult:
        """Take a thing."""
        return ToolResult(args.item)

    assert wide.list_entry["inputSchema"]["properties"] == {"item": {"type": "string"}}
    assert wide.list_entry["annotations"]["readOnlyHint"]
