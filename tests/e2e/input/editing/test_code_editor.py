"""A code editor draws the lines in view beside a field that only receives keys."""

from __future__ import annotations

from tests.e2e.conftest import Show
from tests.e2e.support.client import ServerClient

# The editor keeps 30 lines, draws the first three, and indents a line after a colon.
EDITOR = """<style>#e { position: relative; width: 400px; height: 60px; overflow: hidden }
  textarea { position: absolute; width: 1px; height: 1px; padding: 0; border: 0; z-index: -1 }
  .line { position: absolute; left: 40px; width: 360px; height: 20px; white-space: pre }
  .number { position: absolute; width: 30px; height: 20px }</style>
<div id=e><textarea id=keys aria-label=Code></textarea><div id=layer></div></div><script>
let lines = Array.from({length: 30}, (_, i) => 'line ' + (i + 1)), isAll = false
const draw = () => layer.innerHTML = lines.slice(0, 3).map((text, i) =>
  `<div class=number aria-hidden=true style=top:${i * 20}px>${i + 1}</div>` +
  `<div class=line style=top:${i * 20}px>${text}</div>`).join('')
e.onmousedown = event => { event.preventDefault(); keys.focus() }
keys.onkeydown = event => { if (event.ctrlKey && event.key === 'a') isAll = true }
keys.oncopy = event => { event.preventDefault()
  event.clipboardData.setData('text/plain', lines.join('\\n')) }
keys.oninput = () => { lines = (isAll ? '' : lines.join('\\n')).concat(keys.value).split('\\n')
  if (lines[0].endsWith(':')) lines[1] = '    ' + (lines[1] ?? '').trim()
  keys.value = ''; isAll = false; draw() }
draw()</script>"""


async def test_a_click_by_the_ref_of_the_field_focuses_the_editor(
    shared_server: ServerClient, show: Show
) -> None:
    await show(EDITOR)
    page = await shared_server.call("browser_snapshot")
    assert '- textbox "Code" [multiline] [lines=1-3]' in page.sections["Snapshot"]
    reply = await shared_server.call("browser_click", ref="#keys")
    assert reply.sections["Result"] == 'Clicked textbox "Code"'
    assert 'textbox "Code" [active]' in reply.sections["Snapshot"]


async def test_a_copy_reads_the_whole_text(shared_server: ServerClient, show: Show) -> None:
    await show(EDITOR)
    await shared_server.call("browser_click", ref="#keys")
    await shared_server.call("browser_press_key", key="Control+a")
    reply = await shared_server.call("browser_press_key", key="Control+c")
    text = "\n".join(f"line {number}" for number in range(1, 31))
    assert reply.sections["Result"] == f"Pressed Control+c\nCopied:\n{text}"


async def test_a_copy_reads_the_selection_of_a_field_but_no_password(
    shared_server: ServerClient, show: Show
) -> None:
    await show("<input id=f value='a  kettle'><input id=p type=password value=secret>")
    for field, copied in (("#f", "\nCopied:\na  kettle"), ("#p", "")):
        await shared_server.call("browser_click", ref=field)
        await shared_server.call("browser_press_key", key="Control+a")
        reply = await shared_server.call("browser_press_key", key="Control+c")
        assert reply.sections["Result"].split(";")[0] == f"Pressed Control+c{copied}"


async def test_other_text_than_was_typed_is_reported(
    shared_server: ServerClient, show: Show
) -> None:
    await show(EDITOR)
    reply = await shared_server.call("browser_type", ref="#keys", text="if a:\n  b")
    assert reply.sections["Result"] == ('Typed into textbox "Code"; it holds "if a:\\n    b" now')
    reply = await shared_server.call("browser_type", ref="#keys", text="a\n  b")
    assert reply.sections["Result"] == 'Typed into textbox "Code"'
