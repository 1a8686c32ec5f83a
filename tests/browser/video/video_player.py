"""Plays a video in Chromium, and reads what it shows."""

from __future__ import annotations

import base64
import json
from dataclasses import dataclass
from pathlib import Path

from cdp_protocol import Connection

Colour = tuple[int, int, int]

_PLAY = """async (data, samples) => {
  const open = async () => {
    const video = document.createElement("video");
    video.muted = true;
    video.src = `data:video/webm;base64,${data}`;
    await new Promise((done, fail) => {
      video.onloadeddata = done;
      video.onerror = () => fail(new Error(video.error.message));
    });
    return video;
  };
  // A video element may draw the frame before a second seek, so each time has an element.
  const drawAt = async (time) => {
    const video = await open();
    const drawn = new Promise((done) => video.requestVideoFrameCallback(done));
    await new Promise((done) => {
      video.onseeked = done;
      video.currentTime = time < 0 ? duration + time : time;
    });
    await Promise.race([drawn, new Promise((done) => setTimeout(done, 500))]);
    const options = { willReadFrequently: true };
    const context = new OffscreenCanvas(width, height).getContext("2d", options);
    context.drawImage(video, 0, 0);
    return context;
  };
  const { videoWidth: width, videoHeight: height, duration } = await open();
  const drawings = new Map();
  const colours = [];
  for (const [time, x, y] of samples) {
    if (!drawings.has(time)) drawings.set(time, await drawAt(time));
    colours.push([...drawings.get(time).getImageData(x, y, 1, 1).data].slice(0, 3));
  }
  return { duration, width, height, colours };
}"""


@dataclass(frozen=True)
class Played:
    """What a video element reports, and the colours at the samples."""

    duration: float
    width: int
    height: int
    colours: list[Colour]

    @property
    def names(self) -> list[str]:
        """The nearest of the named colours, for each sample."""
        return [_name(each) for each in self.colours]


_NAMED = {
    "red": (255, 0, 0),
    "lime": (0, 255, 0),
    "blue": (0, 0, 255),
    "yellow": (255, 255, 0),
    "white": (255, 255, 255),
    "black": (0, 0, 0),
}


def _name(colour: Colour) -> str:
    def distance(name: str) -> int:
        return sum(abs(a - b) for a, b in zip(colour, _NAMED[name], strict=True))

    return min(_NAMED, key=distance)


def read_base64(path: Path) -> str:
    return base64.b64encode(path.read_bytes()).decode()


async def play(connection: Connection, path: Path, *samples: tuple[float, int, int]) -> Played:
    """Play a file in a tab of its own.

    Args:
        samples: Times in seconds, each with a pixel. Negative times count from the end.
    """
    target = await connection.root.Target.createTarget(url="about:blank")
    session = await connection.root.attach(target)
    data = read_base64(path)
    answer = await session.Runtime.evaluate(
        expression=f"({_PLAY})({json.dumps(data)}, {json.dumps(samples)})",
        awaitPromise=True,
        returnByValue=True,
    )
    await connection.root.Target.closeTarget(targetId=target["targetId"])
    assert "exceptionDetails" not in answer, answer
    found = answer["result"]["value"]
    colours = [(r, g, b) for r, g, b in found["colours"]]
    return Played(found["duration"], found["width"], found["height"], colours)
