"""File choosers: kept from the screen, answered with files that may be read, or cancelled."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from tests.browser.conftest import OpenPage
from tests.browser.inside import services_of
from tests.browser.page.agent import Agent
from tests.site import Site
from viewpoint_mcp.errors import CallError, ElementDisabledError, ElementError, ModalOpenError
from viewpoint_mcp.page.actions.element import Element

Write = Callable[..., Path]
TELL = """
<p id=told></p>
<script>
for (const input of document.querySelectorAll('input'))
  for (const type of ['input', 'change', 'cancel'])
    input.addEventListener(type, event => told.textContent +=
      `${type} ${event.isTrusted} [${[...input.files].map(f => f.webkitRelativePath || f.name)}] `)
</script>
"""


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Return `write(name, data)`: a file in the working directory."""

    def write(name: str, data: bytes = b"data") -> Path:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
        return path

    return write


async def ask(agent: Agent, what: str | Element = "button") -> None:
    """Click an element that opens a chooser."""
    element = await agent.find(what) if isinstance(what, str) else what
    async with agent.page.settle_afterwards():
        await element.click()
    assert agent.page.blockers.file_chooser is not None


async def read_event(agent: Agent) -> str:
    return str(await agent.run("told.textContent.trim()"))


@pytest.mark.parametrize(
    "html",
    [
        "<input type=file>",
        "<input type=file id=a hidden><button onclick=a.click()>Go</button>",
        "<label for=a role=button tabindex=0>Go</label><input id=a type=file hidden>",
        "<button onclick=a.showPicker()>Go</button><input type=file id=a style='margin:-99em'>",
    ],
)
async def test_a_chooser_is_answered_with_a_file(agent: Agent, write: Write, html: str) -> None:
    write("a.txt")
    await agent.open(html + TELL)
    await ask(agent)
    assert (await agent.page.upload_files_and_describe_result(["a.txt"])).startswith(
        "Uploaded a.txt to button"
    )
    assert await read_event(agent) == "input true [a.txt] change true [a.txt]"
    assert agent.page.blockers.file_chooser is None


async def test_an_open_chooser_ends_calls_that_wait_for_the_page(agent: Agent) -> None:
    await agent.open("<input type=file>")
    await ask(agent)
    with pytest.raises(ModalOpenError, match="an answer to its file chooser"):
        await agent.page.snapshot()


async def test_an_input_that_never_was_in_the_document_gets_its_file(
    agent: Agent, write: Write
) -> None:
    write("a.txt")
    await agent.open(
        "<button onclick=\"const i = document.createElement('input'); i.type = 'file';"
        'i.onchange = async () => p.textContent = await i.files[0].text(); i.click()">'
        "Go</button><p id=p>"
    )
    await ask(agent)
    await agent.page.upload_files_and_describe_result(["a.txt"])
    assert "data" in await agent.snapshot()


async def test_several_files_go_to_an_input_that_takes_several(agent: Agent, write: Write) -> None:
    names = ["a.txt", "Grüße \U0001f600.txt", "empty.bin"]
    for name in names:
        write(name, b"" if name == "empty.bin" else b"x")
    await agent.open(f"<input type=file multiple>{TELL}")
    await ask(agent)
    await agent.page.upload_files_and_describe_result(names)
    assert f"change true [{','.join(names)}]" in await read_event(agent)


async def test_a_directory_is_given_to_a_directory_input(agent: Agent, write: Write) -> None:
    write("photos/a.txt")
    write("photos/sub/b.txt")
    await agent.open(f"<input type=file webkitdirectory>{TELL}")
    await ask(agent)
    assert (
        await agent.page.upload_files_and_describe_result(["photos"])
        == 'Uploaded photos/ to button "Choose File"'
    )
    # Chromium lists the directory asynchronously; the page may get the files after the reply.
    await agent.run(
        "new Promise(resolve => document.querySelector('input').files.length"
        " ? resolve() : document.addEventListener('change', resolve))"
    )
    assert "photos/a.txt" in await read_event(agent)
    assert "photos/sub/b.txt" in await read_event(agent)


async def test_a_large_file_arrives_whole(agent: Agent, tmp_path: Path) -> None:
    with (tmp_path / "large.bin").open("wb") as file:
        file.truncate(100 * 1024 * 1024)
    await agent.open("<input type=file>")
    await ask(agent)
    await agent.page.upload_files_and_describe_result(["large.bin"])
    size = "document.querySelector('input').files[0].size"
    assert await agent.run(size) == str(100 * 1024 * 1024)


@pytest.mark.parametrize(
    ("html", "names", "reason"),
    [
        ("<input type=file>", ["a.txt", "b.txt"], "accepts one file, not 2"),
        ("<input type=file>", ["folder"], "folder is a directory; button"),
        ("<input type=file webkitdirectory>", ["a.txt"], "accepts one directory"),
        ("<input type=file>", ["missing.txt"], "does not exist"),
        ("<input type=file>", ["/etc/hostname"], "is outside the directories"),
        ("<input type=file>", ["link"], "is outside the directories"),
    ],
)
async def test_files_that_the_input_does_not_accept_are_refused_before_any_is_set(
    agent: Agent, write: Write, html: str, names: list[str], reason: str
) -> None:
    for name in ("a.txt", "b.txt", "folder/c.txt"):
        write(name)
    write("x").with_name("link").symlink_to("/etc/hostname")
    await agent.open(html + TELL)
    await ask(agent)
    with pytest.raises(CallError, match=reason):
        await agent.page.upload_files_and_describe_result(names)
    assert agent.page.blockers.file_chooser is not None
    services_of(agent.page).file_choosers.claim_open_chooser()
    assert await read_event(agent) == ""


async def test_a_chooser_is_cancelled_as_a_person_would(agent: Agent) -> None:
    await agent.open(f"<input type=file>{TELL}")
    await ask(agent)
    assert (await agent.page.upload_files_and_describe_result([])).startswith(
        "Cancelled the file chooser of button"
    )
    assert await read_event(agent) == "cancel true []"
    await ask(agent)


async def test_an_input_outside_the_document_receives_the_cancel_event(
    agent: Agent,
) -> None:
    await agent.open(
        "<button onclick=\"const i = document.createElement('input'); i.type = 'file';"
        "i.oncancel = () => p.textContent = 'CANCELLED'; i.click()\">Go</button><p id=p>"
    )
    await ask(agent)
    await agent.page.upload_files_and_describe_result([])
    assert "CANCELLED" in await agent.snapshot()


async def test_the_consequences_of_an_upload_are_in_the_snapshot(
    agent: Agent, write: Write
) -> None:
    write("a.txt")
    await agent.open(
        "<input type=file onchange=\"setTimeout(() => document.body.append('DONE'), 200)\">"
    )
    await ask(agent)
    await agent.page.upload_files_and_describe_result(["a.txt"])
    assert "DONE" in await agent.snapshot()


async def test_files_outside_the_accepted_types_are_set_and_reported(
    agent: Agent, write: Write
) -> None:
    write("a.txt")
    write("a.PNG")
    await agent.open("<input type=file accept='image/*, .pdf'>")
    await ask(agent)
    assert (await agent.page.upload_files_and_describe_result(["a.txt"])).endswith(
        " (it asks for image/*, .pdf)"
    )
    assert (await agent.page.upload_files_and_describe_result(["a.PNG"])).endswith('"')


@pytest.mark.parametrize(
    "html",
    [
        "<input type=file>",
        "<input type=FILE hidden>",
        "<input type=file disabled><input type=file>",
        "<iframe srcdoc='<input type=file>'></iframe>",
        "<div><template shadowrootmode=open><input type=file></template></div>",
        "<div><template shadowrootmode=closed><input type=file></template></div>",
    ],
)
async def test_the_only_input_gets_the_file_with_no_chooser_open(
    agent: Agent, write: Write, html: str
) -> None:
    write("a.txt")
    await agent.open(html)
    assert (await agent.page.upload_files_and_describe_result(["a.txt"])).startswith(
        "Uploaded a.txt to button"
    )


async def test_several_inputs_are_named_with_their_refs(agent: Agent, write: Write) -> None:
    write("a.txt")
    await agent.open(
        "<label>One <input type=file id=a></label><label>Two <input type=file hidden></label>"
    )
    with pytest.raises(CallError, match=r'has 2 file inputs: button "One.*" \[ref=(e\d+)\]') as no:
        await agent.page.upload_files_and_describe_result(["a.txt"])
    ref = str(no.value).partition("[ref=")[2].partition("]")[0]
    await ask(agent, await agent.page.find_element(ref))
    await agent.page.upload_files_and_describe_result(["a.txt"])
    assert await agent.run("a.files[0].name") == "a.txt"


async def test_without_a_chooser_or_an_input_nothing_is_done(agent: Agent, write: Write) -> None:
    write("a.txt")
    await agent.open("<h1>Hello</h1>")
    with pytest.raises(CallError, match="and the page has no file input"):
        await agent.page.upload_files_and_describe_result(["a.txt"])
    with pytest.raises(CallError, match="No file chooser is open"):
        await agent.page.upload_files_and_describe_result([])


async def test_a_disabled_input_accepts_no_files(agent: Agent, write: Write) -> None:
    write("a.txt")
    await agent.open("<input type=file disabled>")
    with pytest.raises(ElementDisabledError, match="is disabled"):
        await agent.page.upload_files_and_describe_result(["a.txt"])


async def test_a_chooser_in_a_frame_of_another_process_is_answered(
    agent: Agent, write: Write, site: Site
) -> None:
    write("a.txt")
    inner = site.page("<input type=file onchange='document.body.append(this.files[0].name)'>")
    other = inner.replace("127.0.0.1", "localhost")
    await agent.go(site.page(f"<iframe src='{other}'></iframe>"))
    await ask(agent)
    await agent.page.upload_files_and_describe_result(["a.txt"])
    assert "a.txt" in await agent.snapshot()
    await ask(agent)
    assert "Cancelled" in await agent.page.upload_files_and_describe_result([])


@pytest.mark.parametrize("leave", ["go", "remove"])
async def test_a_chooser_ends_with_its_document(
    agent: Agent, write: Write, site: Site, leave: str
) -> None:
    script = "f.remove()" if leave == "remove" else "f.srcdoc = 'Next'"
    await agent.go(
        site.page(
            "<iframe id=f srcdoc='<input type=file>'></iframe>"
            f"<script>onmessage = () => {{ {script} }}</script>"
        )
    )
    await ask(agent)
    await services_of(agent.page).session.Runtime.evaluate(
        expression="postMessage(1, '*')", awaitPromise=True
    )
    while agent.page.blockers.file_chooser is not None:
        await services_of(agent.page).session.Browser.getVersion()
    await agent.snapshot()


async def test_a_removed_input_is_reported(agent: Agent, write: Write) -> None:
    write("a.txt")
    await agent.open("<input type=file>")
    await ask(agent)
    chooser = services_of(agent.page).file_choosers.claim_open_chooser()
    assert chooser is not None
    await agent.open("<h1>Another</h1>")
    services_of(agent.page).file_choosers.mark_chooser_open_again(chooser)
    with pytest.raises(ElementError, match="The file input no longer exists"):
        await agent.page.upload_files_and_describe_result(["a.txt"])


async def test_a_double_click_opens_one_chooser(agent: Agent, write: Write) -> None:
    write("a.txt")
    await agent.open(f"<input type=file>{TELL}")
    async with agent.page.settle_afterwards():
        await (await agent.find("button")).click(count=2)
    await agent.page.upload_files_and_describe_result(["a.txt"])
    assert agent.page.blockers.file_chooser is None


async def test_an_input_that_opens_a_chooser_again_during_the_answer_is_not_listed_twice(
    agent: Agent, write: Write
) -> None:
    write("a.txt")
    await agent.open("<input type=file>")
    await ask(agent)
    chooser = services_of(agent.page).file_choosers.claim_open_chooser()
    assert chooser is not None
    async with chooser.session.expect("Page.fileChooserOpened"), agent.page.settle_afterwards():
        await (await agent.find("button")).click()
    assert agent.page.blockers.file_chooser is None
    services_of(agent.page).file_choosers.mark_chooser_open_again(chooser)
    assert "Uploaded a.txt" in await agent.page.upload_files_and_describe_result(["a.txt"])
    await ask(agent)


async def test_script_alone_opens_no_chooser(agent: Agent) -> None:
    look = await agent.open("<input type=file id=a><p>Hello</p><script>a.click()</script>")
    assert "Hello" in look


@pytest.mark.parametrize(
    "function", ["showOpenFilePicker", "showDirectoryPicker", "showSaveFilePicker"]
)
async def test_a_picker_that_cannot_be_answered_is_reported(
    agent: Agent, site: Site, function: str
) -> None:
    await agent.go(
        site.page(
            f"<button onclick='{function}().catch(e => p.textContent = e.name)'>Go</button><p id=p>"
        )
    )
    assert "AbortError" in await agent.click("button")
    (event,) = agent.page.take_events()
    assert function in event
    assert "cancelled" in event


async def is_chooser_intercepted(agent: Agent, act: Callable[[], Awaitable[object]]) -> bool:
    """Return whether the chooser that the action opens is intercepted; headless Chromium cancels
    others.
    """
    await act()
    await services_of(agent.page).session.Browser.getVersion()
    return services_of(agent.page).file_choosers.claim_open_chooser() is not None


async def test_a_tab_of_the_users_keeps_its_choosers_between_actions(
    open_page: OpenPage,
) -> None:
    agent = Agent(await open_page(is_users=True))
    await agent.open(f"<input type=file id=a>{TELL}")
    input_ = await agent.find("button")
    x, y = await input_.wait_for_hit_point()

    async def click_as_user() -> None:
        await services_of(agent.page).mouse.click(x, y)
        while await read_event(agent) == "":
            await agent.snapshot()

    async def intercept() -> None:
        async with agent.page.settle_afterwards():
            await input_.click()

    assert not await is_chooser_intercepted(agent, click_as_user)
    assert await read_event(agent) == "cancel true []"
    assert await is_chooser_intercepted(agent, intercept)
    await agent.run("told.textContent = ''")
    assert not await is_chooser_intercepted(agent, click_as_user)
