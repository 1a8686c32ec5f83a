"""Dropping files and texts on an element, as from outside of the browser."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.browser.conftest import OpenPage
from tests.browser.inside import services_of
from tests.browser.page.agent import Agent
from tests.site import Site
from viewpoint_mcp.errors import ElementCoveredError, ElementError

TITLE = "document.title"

# Records the types it is offered, and reads the data that it gets.
ZONE = """<div id=z role=region tabindex=0 aria-label=Upload style="width: 300px; height: 100px">
Drop here</div><ul id=out></ul><script>
const say = text => out.append(Object.assign(document.createElement('li'), {textContent: text}));
const told = new Set();
for (const type of ['dragenter', 'dragover', 'drop']) z.addEventListener(type, event => {
  event.preventDefault();
  const { types, items, files } = event.dataTransfer;
  if (told.has(type)) return;
  told.add(type);
  const kinds = [...items].map(item => `${item.kind} ${item.type}`);
  say(`${type} types ${[...types]} items ${kinds} files ${files.length}`);
});
const walk = entry => entry.isFile
  ? entry.file(async file => say(`entry ${entry.fullPath}: ${await file.text()}`))
  : entry.createReader().readEntries(inner => inner.forEach(walk));
z.ondrop = async event => {
  const { items, files } = event.dataTransfer;
  for (const type of event.dataTransfer.types) {
    if (type !== 'Files') say(`data ${type}: ${event.dataTransfer.getData(type)}`);
  }
  for (const item of items) if (item.kind === 'file') walk(item.webkitGetAsEntry());
  for (const file of files) file.text().then(text => say(`file ${file.name}: ${text}`), () => {});
};
</script>"""


@pytest.fixture
def files(tmp_path: Path) -> list[Path]:
    """Return a text file, a picture and a directory with a file in it."""
    text, picture, folder = tmp_path / "a.txt", tmp_path / "b.png", tmp_path / "folder"
    text.write_text("alpha")
    picture.write_bytes(b"PNG")
    (folder / "deep").mkdir(parents=True)
    (folder / "deep" / "c.txt").write_text("gamma")
    return [text, picture, folder]


async def test_the_page_gets_real_files(agent: Agent, site: Site, files: list[Path]) -> None:
    await agent.go(site.page(ZONE))
    snapshot = await agent.drop("region", *files[:2])
    assert "dragenter types Files items file text/plain,file image/png files 0" in snapshot
    assert "dragover types Files items" in snapshot
    assert "drop types Files items file text/plain,file image/png files 2" in snapshot
    assert "file a.txt: alpha" in snapshot
    assert "entry /a.txt: alpha" in snapshot


async def test_the_page_can_walk_a_directory(agent: Agent, site: Site, files: list[Path]) -> None:
    await agent.go(site.page(ZONE))
    assert "entry /folder/deep/c.txt: gamma" in await agent.drop("region", files[2])


async def test_the_page_gets_texts_by_their_types(agent: Agent, site: Site) -> None:
    await agent.go(site.page(ZONE))
    data = {"text": "hello", "text/uri-list": "https://example.com/", "application/x-card": "7"}
    snapshot = await agent.drop("region", data=data)
    assert "data text/plain: hello" in snapshot
    assert "data text/uri-list: https://example.com/" in snapshot
    assert "data application/x-card: 7" in snapshot


async def test_files_and_texts_are_dropped_together(
    agent: Agent, site: Site, files: list[Path]
) -> None:
    await agent.go(site.page(ZONE))
    snapshot = await agent.drop("region", files[0], data={"text/plain": "hello"})
    assert "file a.txt: alpha" in snapshot
    assert "data text/plain: hello" in snapshot


async def test_a_file_field_accepts_dropped_files(agent: Agent, files: list[Path]) -> None:
    await agent.open("<input type=file id=f multiple aria-label=Files>")
    await agent.drop(await agent.page.find_element("#f"), *files[:2])
    assert await agent.run("[...f.files].map(file => file.name).join()") == "a.txt,b.png"


async def test_a_text_field_accepts_a_dropped_text(agent: Agent) -> None:
    await agent.open("<textarea aria-label=Note></textarea>")
    assert "hello" in await agent.drop("textbox", data={"text/plain": "hello"})


@pytest.mark.parametrize(
    "html", ["<p role=region tabindex=0 aria-label=x>Text</p>", "<textarea id=x></textarea>"]
)
async def test_an_element_that_takes_no_files_says_so_and_opens_none(
    agent: Agent, files: list[Path], html: str
) -> None:
    await agent.open(html)
    before = agent.page.url
    with pytest.raises(ElementError, match="did not accept the drop"):
        await agent.drop(await agent.page.find_element("[role=region], textarea"), files[0])
    assert agent.page.url == before
    assert await agent.run(TITLE) == ""


async def test_a_dropped_link_that_no_element_accepts_does_not_navigate(
    agent: Agent, site: Site
) -> None:
    url = site.page("<p role=region tabindex=0 aria-label=x>Text</p>")
    await agent.go(url)
    with pytest.raises(ElementError, match="did not accept the drop"):
        await agent.drop("region", data={"text/uri-list": site.url("/there")})
    assert agent.page.url == url


async def test_the_page_receives_dragleave_from_a_drop_zone_that_refused(
    agent: Agent, files: list[Path]
) -> None:
    await agent.open(
        "<p role=region tabindex=0 aria-label=x ondragenter='this.className = `over`' "
        "ondragleave='this.className = `` ; document.title = `left`'>Text</p>"
    )
    with pytest.raises(ElementError):
        await agent.drop("region", files[0])
    await agent.page.pause(0.1)
    assert await agent.run(TITLE) == "left"


async def test_a_drop_zone_that_appears_during_a_drag_accepts_the_drop(
    agent: Agent, files: list[Path]
) -> None:
    await agent.open(
        "<main role=region tabindex=0 aria-label=x style='height: 300px'>Text</main>"
        "<div id=over hidden style='position: fixed; inset: 0; background: white'>Drop</div>"
        "<script>document.ondragenter = () => setTimeout(() => { over.hidden = false }, 10);"
        "over.ondragover = e => e.preventDefault();"
        "over.ondrop = e => { e.preventDefault(); over.textContent = e.dataTransfer.files[0].name }"
        "</script>"
    )
    assert "a.txt" in await agent.drop("region", files[0])


@pytest.mark.prove
async def test_a_covered_element_gets_no_files(agent: Agent, files: list[Path]) -> None:
    await agent.open(ZONE + "<div style='position: fixed; inset: 0; background: red'>x</div>")
    with pytest.raises(ElementCoveredError):
        await agent.drop("region", files[0])


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1"])
async def test_a_drop_zone_in_a_frame_gets_files(
    agent: Agent, site: Site, files: list[Path], host: str
) -> None:
    inner = site.page(ZONE).replace("localhost", host)
    await agent.go(
        site.page(f"<p>Around</p><iframe src={inner} title=F width=500 height=400></iframe>")
    )
    assert "file a.txt: alpha" in await agent.drop("region", files[0])


async def test_a_tab_behind_another_gets_files(open_page: OpenPage, files: list[Path]) -> None:
    agent, front = Agent(await open_page()), await open_page()
    await services_of(front).session.Page.bringToFront()
    await agent.open(ZONE)
    assert "file a.txt: alpha" in await agent.drop("region", files[0])
