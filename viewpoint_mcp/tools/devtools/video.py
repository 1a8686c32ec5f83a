"""The tools that record a video of a context (`--caps devtools`)."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

from msgspec import Meta

from viewpoint_mcp.errors import CallError
from viewpoint_mcp.tools.core.args import Args, ContextName, Filename
from viewpoint_mcp.tools.core.result import ToolResult
from viewpoint_mcp.tools.core.sessionless_call_policy import ActsInContext
from viewpoint_mcp.tools.core.tool import browser_tool

if TYPE_CHECKING:
    from viewpoint_mcp.browser.client_workspace import Workspace
    from viewpoint_mcp.browser.context import Context
    from viewpoint_mcp.browser.video.recording import VideoRecording
    from viewpoint_mcp.browser.video.video_recordings import SavedVideo

_LONGEST_DEFAULT_SIDE = 800  # pixels, as in playwright-mcp
_SUFFIX = ".webm"
_CURSOR_TIME = 800  # ms, as in playwright-mcp

Side = Annotated[float, Meta(ge=16, le=4096)]
Milliseconds = Annotated[float, Meta(ge=0, le=60_000)]
Position = Literal["top-left", "top", "top-right", "bottom-left", "bottom", "bottom-right"]


class VideoSize(Args):
    width: Side
    """Width in pixels, rounded down to an even number."""
    height: Side
    """Height in pixels, rounded down to an even number."""


class StartVideoArgs(Args):
    filename: Filename = None
    """File to save, relative to the working directory or absolute; `.webm` is added if it has no
    suffix. `video-{time}.webm` in `--output-dir` if omitted."""
    size: VideoSize | None = None
    """Size of the video. The viewport if omitted, scaled down to at most 800 pixels a side. The
    page keeps its proportions."""
    fps: Annotated[float, Meta(ge=1, le=60)] = 25
    """Largest number of frames per second. A page that does not change has fewer."""
    cursor: bool = False
    """Whether to draw a mouse cursor that moves to the point of each action. The video stops 800 ms
    for each action; the action itself does not wait."""
    context: ContextName = None


@browser_tool(
    "browser_start_video",
    title="Start video",
    kind="read",
    capability="devtools",
    sessionless=ActsInContext(),
)
async def start_video(browser: Workspace, args: StartVideoArgs) -> ToolResult:
    """Start recording a WebM video of the active tab.

    The video follows the active tab of the context. Chromium encodes it, in a page that no user
    sees. The recording changes nothing in the page.

    Reply: the size of the video.

    Errors: a video of the context is being recorded; the file name is invalid; the browser cannot
    encode the video.
    """
    from viewpoint_mcp.browser.video.overlays import ActionStyle
    from viewpoint_mcp.browser.video.recording import VideoOptions

    context = await browser.get_context(args.context)
    width, height = await _choose_size(context, args.size)
    actions = browser.videos.actions.get(context.name)
    if args.cursor:
        actions = ActionStyle(duration=_CURSOR_TIME, has_title=False)
    options = VideoOptions(width, height, args.fps, actions, _complete_name(args.filename))
    earlier = await browser.videos.start(context, options)
    text = f"Video recording started ({width}x{height})"
    if earlier is not None:
        text += f"\nThe earlier recording: {_describe(browser, earlier)}"
    return ToolResult(text, context=context)


class StopVideoArgs(Args):
    context: ContextName = None


@browser_tool(
    "browser_stop_video",
    title="Stop video",
    kind="read",
    capability="devtools",
    sessionless=ActsInContext(),
)
async def stop_video(browser: Workspace, args: StopVideoArgs) -> ToolResult:
    """Stop the video and save it.

    It also saves a video after its browser or context has ended.

    Reply: the path, the length and the size of the video.

    Errors: no video is being recorded; the file cannot be written.
    """
    name = args.context or (browser.active_context.name if browser.active_context else None)
    saved = await browser.videos.stop(name or browser.default_name or "")
    if saved is None:
        raise CallError("No video is being recorded.", "Use browser_start_video to start one.")
    return ToolResult(_describe(browser, saved))


class VideoChapterArgs(Args):
    title: str
    """Title on the card. The card breaks a long one into lines."""
    description: str | None = None
    """Text below the title."""
    duration: Milliseconds = 2000
    """Milliseconds that the video shows the card. The call does not wait for it."""
    context: ContextName = None


@browser_tool(
    "browser_video_chapter",
    title="Video chapter",
    kind="read",
    capability="devtools",
    sessionless=ActsInContext(),
)
async def add_chapter(browser: Workspace, args: VideoChapterArgs) -> ToolResult:
    """Insert a card with a title into the video.

    The card is drawn over the page in the video only.

    Reply: one sentence.

    Errors: no video is being recorded.
    """
    context = await browser.get_context(args.context)
    recording = _find_recording(browser, context)
    recording.add_chapter(args.title, args.description or "", round(args.duration))
    return ToolResult(f'Chapter "{args.title}" added', context=context)


class ActionStyles(Args):
    point: str | None = None
    """CSS declarations for a mark at the point of the mouse, which has no size itself. No mark if
    omitted."""
    highlight: str | None = None
    """CSS declarations for a box over the element. No box if omitted, and none in frames of other
    sites."""
    title: str | None = None
    """CSS declarations for the title."""


class ShowActionsArgs(Args):
    duration: Milliseconds = 500
    """Milliseconds that the video stops to show an action. The action itself does not wait."""
    position: Position = "top-right"
    """Place of the title, as an edge or a corner of the page."""
    cursor: Literal["none", "pointer"] = "pointer"
    """Whether to draw a mouse cursor that moves from point to point."""
    style: ActionStyles | None = None
    """Looks of the title and of further marks. Without it, only the title and the cursor."""
    context: ContextName = None


@browser_tool(
    "browser_video_show_actions",
    title="Show actions in video",
    kind="read",
    capability="devtools",
    sessionless=ActsInContext(),
)
async def show_actions(browser: Workspace, args: ShowActionsArgs) -> ToolResult:
    """Show a title, the mouse and marks for each action in the video.

    They are drawn in the video only. Before a video is started, the call applies to the next one.

    Reply: whether it applies to the video or to the next one.
    """
    from viewpoint_mcp.browser.video.overlays import ActionStyle

    context, looks = await browser.get_context(args.context), args.style or ActionStyles()
    style = ActionStyle(
        duration=round(args.duration),
        position=args.position,
        has_cursor=args.cursor == "pointer",
        title=looks.title or "",
        point=looks.point or "",
        highlight=looks.highlight or "",
    )
    browser.videos.actions[context.name] = style
    recording = browser.videos.find(context.name)
    if recording is None:
        return ToolResult("The next video shows actions", context=context)
    recording.actions = style
    return ToolResult("The video shows actions from now on", context=context)


class HideActionsArgs(Args):
    context: ContextName = None


@browser_tool(
    "browser_video_hide_actions",
    title="Hide actions in video",
    kind="read",
    capability="devtools",
    sessionless=ActsInContext(),
)
async def hide_actions(browser: Workspace, args: HideActionsArgs) -> ToolResult:
    """Stop showing actions in the video.

    Reply: one sentence.
    """
    context = await browser.get_context(args.context)
    browser.videos.actions.pop(context.name, None)
    recording = browser.videos.find(context.name)
    if recording is not None:
        recording.actions = None
    return ToolResult("Videos show no actions from now on", context=context)


async def _choose_size(context: Context, size: VideoSize | None) -> tuple[int, int]:
    """Return an even width and height; VP8 encodes no odd ones exactly."""
    if size is not None:
        width, height = size.width, size.height
    else:
        page = await context.get_active_page()
        width, height = await page.devtools.read_viewport_size()
        scale = min(1, _LONGEST_DEFAULT_SIDE / max(width, height, 1))
        width, height = max(16, width * scale), max(16, height * scale)
    return int(width) // 2 * 2, int(height) // 2 * 2


def _complete_name(name: str | None) -> str | None:
    if not name or Path(name).suffix.lower() == _SUFFIX:
        return name or None
    if Path(name).suffix:
        raise CallError(f'"{name}" is not the name of a WebM file.', "Use a name with .webm.")
    return f"{name}{_SUFFIX}"


def _find_recording(browser: Workspace, context: Context) -> VideoRecording:
    recording = browser.videos.find(context.name)
    if recording is None:
        raise CallError("No video is being recorded.", "Use browser_start_video to start one.")
    if recording.is_over:
        raise CallError(
            f"The recording ended, because {recording.end_reason}.",
            "Use browser_stop_video to save it.",
        )
    return recording


def _describe(browser: Workspace, saved: SavedVideo) -> str:
    path = browser.files.format_path_for_reply(saved.path)
    size = f"{saved.options.width}x{saved.options.height}"
    ended = f"\nThe recording ended early, because {saved.end_reason}." if saved.end_reason else ""
    return f"Video saved to {path} ({saved.seconds:.1f} s, {size}){ended}"
