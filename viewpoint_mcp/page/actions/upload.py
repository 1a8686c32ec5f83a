"""File upload: answers the file chooser of the page, or fills its file input."""

from __future__ import annotations

from collections.abc import Awaitable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from viewpoint_mcp.accessibility.refs import describe_element
from viewpoint_mcp.errors import CallError, ElementDisabledError, ElementError, ViewpointError
from viewpoint_mcp.page.blockers import FileChooser
from viewpoint_mcp.page.frames import Frame
from viewpoint_mcp.page.isolated_world import IsolatedWorld, WorldGone
from viewpoint_mcp.page.snapshot.closed_shadow import open_all_roots

if TYPE_CHECKING:
    from viewpoint_mcp.page.actions.element import Element
    from viewpoint_mcp.page.services import PageServices

T = TypeVar("T")

_NAMES_SHOWN = 10


@dataclass(frozen=True, slots=True)
class _Field:
    """A file input.

    Attributes:
        takes: The answer of `fileField` of `inpage`: role, name, and the files that it accepts.
    """

    frame: Frame
    backend_node_id: int
    takes: dict[str, Any]

    @property
    def label(self) -> str:
        return describe_element(self.takes["role"], self.takes["name"])


async def upload(page: PageServices, names: Sequence[str]) -> str:
    """Answer the open file chooser with files, or pass them to the page's only file input.

    Args:
        names: Paths, absolute or relative to the working directory; empty to cancel the chooser.

    Returns:
        A sentence about the result.

    Raises:
        CallError: A file may not be read, or the input does not accept such files. Also if no
            chooser is open and the page has no file input, or several enabled ones.
        ElementError: The input was removed, or is disabled.
    """
    paths = [page.files.to_read(name) for name in names]
    chooser = page.file_choosers.claim_open_chooser()
    if not paths:
        return await _cancel(page, chooser)
    try:
        field = await (_Asked(page).field(chooser) if chooser else _only_field(page))
        _check(field, paths)
    except ViewpointError:
        if chooser is not None and page.frames.get(chooser.frame_id) is not None:
            page.file_choosers.reopen_chooser(chooser)
        raise
    await _give(page, field, paths)
    given = [f"{path.name}/" if path.is_dir() else path.name for path in paths]
    return f"Uploaded {_listed(given)} to {field.label}{_remark(field, paths)}"


async def _give(page: PageServices, field: _Field, paths: Sequence[Path]) -> None:
    """Set the files of the input, and settle.

    Source: CDP `DOM.setFileInputFiles`.
    """
    async with page.settle_afterwards():
        await page.current_action.record_state(field.frame)
        page.file_choosers.note_chooser_answered()
        setting = field.frame.session.DOM.setFileInputFiles(
            files=[str(path) for path in paths], backendNodeId=field.backend_node_id
        )
        await page.current_action.perform(setting)


async def _cancel(page: PageServices, chooser: FileChooser | None) -> str:
    if chooser is None:
        raise CallError(
            "No file chooser is open, so there is nothing to cancel.",
            "Give paths to fill the page's file input.",
        )
    asked = _Asked(page)
    field = await asked.field(chooser)
    async with page.settle_afterwards():
        await page.current_action.record_state(field.frame)
        await page.current_action.perform(
            page.file_choosers.cancel_chooser(chooser.session, asked.world, asked.object_id)
        )
    return f"Cancelled the file chooser of {field.label}"


class _Asked:
    """A file input that is known by its node only, resolved in the isolated world."""

    world: IsolatedWorld
    object_id: str

    def __init__(self, page: PageServices) -> None:
        self._page = page

    async def field(self, chooser: FileChooser) -> _Field:
        frame = self._page.frames.get(chooser.frame_id)
        if frame is None:
            raise _gone()
        takes = await _asking(self._page, self._takes(frame, chooser.backend_node_id))
        return _Field(frame, chooser.backend_node_id, takes)

    async def _takes(self, frame: Frame, node_id: int) -> dict[str, Any]:
        self.world = await frame.world()
        object_id = await self.world.resolve_node(node_id)
        if object_id is None:
            raise _gone()
        self.object_id = object_id
        takes: dict[str, Any] = await self.world.call_on_nodes("fileField", [object_id])
        return takes


async def _only_field(page: PageServices) -> _Field:
    """Return the page's only file input, in any frame, visible or not."""
    found: list[tuple[Element, dict[str, Any]]] = []
    for frame in page.frames:
        found += await _fields_in(page, frame)
    enabled = [each for each in found if not each[1]["disabled"]]
    if not found:
        raise CallError(
            "No file chooser is open, and the page has no file input.",
            "Click what opens the chooser, then call this again.",
        )
    if len(enabled) > 1:
        inputs = ", ".join(f"{element.label} [ref={element.ref}]" for element, _ in enabled)
        raise CallError(
            f"No file chooser is open, and the page has {len(enabled)} file inputs: {inputs}.",
            "Click the one that is meant, then call this again.",
        )
    element, takes = (enabled or found)[0]
    return _Field(element.frame, await element.backend_node_id(), takes)


async def _fields_in(page: PageServices, frame: Frame) -> list[tuple[Element, dict[str, Any]]]:
    found = await _asking(page, _file_fields(frame)) if not frame.is_crashed else []
    elements = []
    for takes in found:
        element = page.elements.register_ref(frame, takes["number"], takes["role"], takes["name"])
        elements.append((element, takes))
    return elements


async def _file_fields(frame: Frame) -> list[dict[str, Any]]:
    world = await frame.world()
    await open_all_roots(world)
    found: list[dict[str, Any]] = await world.call("fileFields")
    return found


def _check(field: _Field, paths: Sequence[Path]) -> None:
    takes = field.takes
    if takes["disabled"]:
        raise ElementDisabledError(f"{field.label} is disabled and takes no files now.")
    directories = [path for path in paths if path.is_dir()]
    if takes["directory"] and (len(paths) > 1 or not directories):
        raise CallError(f"{field.label} takes one directory.", "Give its path alone.")
    if directories and not takes["directory"]:
        raise CallError(
            f"{directories[0]} is a directory; {field.label} takes files.", "Give files of it."
        )
    if len(paths) > 1 and not (takes["multiple"] or takes["directory"]):
        raise CallError(f"{field.label} takes one file, not {len(paths)}.", "Give one path.")


def _remark(field: _Field, paths: Sequence[Path]) -> str:
    """Return a remark if the input asks for other types of files; "" if it accepts these files.

    Like the file chooser of the browser, `upload` uploads other types, too.
    """
    wanted = [each.strip().lower() for each in field.takes["accept"].split(",") if each.strip()]
    if not wanted or field.takes["directory"] or all(_suits(path, wanted) for path in paths):
        return ""
    return f" (it asks for {', '.join(wanted)})"


def _suits(path: Path, wanted: Sequence[str]) -> bool:
    from mimetypes import guess_type

    kind = guess_type(path.name)[0] or ""
    return any(
        path.name.lower().endswith(each)
        if each.startswith(".")
        else kind == each or (each.endswith("/*") and kind.startswith(each[:-1]))
        for each in wanted
    )


def _listed(names: Sequence[str]) -> str:
    more = len(names) - _NAMES_SHOWN
    return ", ".join(names[:_NAMES_SHOWN]) + (f" and {more} more" if more > 0 else "")


async def _asking(page: PageServices, asking: Awaitable[T]) -> T:
    try:
        return await page.run_unless_blocked(asking)
    except WorldGone as error:
        raise page.blockers.blocking_error() or _gone() from error


def _gone() -> ElementError:
    return ElementError("The file input is gone.", "Click what opens the chooser again.")
