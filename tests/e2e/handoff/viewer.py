"""A person who looks at a live view: another server's browser with the page of the view."""

from __future__ import annotations

import json
from typing import Any

from tests.e2e.support.client import ServerClient

READ = """async () => {
  const picture = document.querySelector("#picture")
  const digest = await crypto.subtle.digest("SHA-1", new TextEncoder().encode(picture.toDataURL()))
  const see = (id) => {
    const element = document.getElementById(id)
    return element.hidden ? null : element.innerText
  }
  return JSON.stringify({
    status: see("status"), notice: see("notice"), dialog: see("dialog"), files: see("files"),
    address: see("address"), control: see("control"), calls: see("calls"),
    tabs: [...document.querySelectorAll("#tabs button")].map((each) => each.textContent),
    size: [picture.width, picture.height],
    picture: [...new Uint8Array(digest)].join(), hash: location.hash, hacked: window.hacked ?? null,
  })
}"""

WAIT = """async () => {
  const hasPicture = (colour) => {
    const { width, height } = document.querySelector("#picture")
    const drawing = document.querySelector("#picture").getContext("2d")
    const middle = drawing.getImageData(width / 2, height / 2, 1, 1).data
    return middle[3] === 255 && colour.every((value, n) => Math.abs(middle[n] - value) < 12)
  }
  const end = performance.now() + 10000
  while (!(CONDITION)) {
    if (performance.now() > end) throw new Error("never: " + document.body.innerText)
    await new Promise((resolve) => requestAnimationFrame(resolve))
  }
}"""


class Viewer:
    """The page of a live view in a browser.

    Args:
        client: A server with the capability `vision`.
    """

    def __init__(self, client: ServerClient) -> None:
        self.client = client

    async def open(self, url: str) -> None:
        """Open a live view, and wait for its state."""
        await self.client.call("browser_navigate", url=url)
        await self.wait("!document.querySelector('#status').textContent.startsWith('Connecting')")

    async def wait(self, condition: str) -> None:
        """Wait until a JavaScript expression is true in the page of the view."""
        function = WAIT.replace("CONDITION", condition)
        reply = await self.client.call("browser_evaluate", function=function)
        assert not reply.is_error, reply.text

    async def wait_for_picture(self, *colour: int) -> None:
        """Wait for a picture, whose middle has about this colour if one is given."""
        await self.wait(f"hasPicture({list(colour)})")

    async def read(self) -> dict[str, Any]:
        """Return what the page of the view shows."""
        reply = await self.client.call("browser_evaluate", function=READ)
        content: dict[str, Any] = json.loads(reply.sections["Result"])
        return content

    async def click(self, selector: str) -> None:
        """Click an element of the page of the view."""
        reply = await self.client.call("browser_click", ref=selector)
        assert not reply.is_error, reply.text

    async def take_control(self) -> None:
        """Take control, and wait until the server agrees."""
        await self.click("#control")
        await self.wait("document.querySelector('#control').textContent === 'Give back control'")

    async def click_picture(self, x: float, y: float) -> None:
        """Click a point of the picture, given as shares of its size."""
        function = f"""() => {{
          const box = document.querySelector("#picture").getBoundingClientRect()
          return JSON.stringify([box.left + box.width * {x}, box.top + box.height * {y}])
        }}"""
        reply = await self.client.call("browser_evaluate", function=function)
        left, top = json.loads(reply.sections["Result"])
        reply = await self.client.call("browser_mouse_click_xy", x=left, y=top)
        assert not reply.is_error, reply.text
