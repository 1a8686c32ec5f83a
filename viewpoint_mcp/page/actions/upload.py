"""File upload: answers the file chooser of the page, or fills its file input."""

from __future__ import annotations

from collections.abc import Awaitable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from viewpoint_mcp.accessibility.refs import describe_element
from viewpoint_mcp.errors import CallError, ElementDisabledError, ElementError, ViewpointError
from viewpoint_mcp.page.blocking_conditions import FileChooser
from viewpoint_mcp.page.frames import Frame
from viewpoint_mcp.page.isolated_world import IsolatedWorld, WorldGoneError
from viewpoint_mcp.page.snapshot.closed_shadow import expose_all_closed_roots

if TYPE_CHECKING:
    from viewpoint_mcp.page.actions.element import Element
    from viewpoint_mcp.page.services import PageServices

T = TypeVar("T")

_MAX_NAMES = 10


@dataclass(frozen=True, slots=True)
class _FileInput:
    """A file input.

    Attributes:
        facts: The answer of `fileField` of `inpage`: role, name, and the files that it accepts.
    """

    frame: Frame
    backend_node_id: int
    facts: dict[str, Any]

    @property
    def label(self) -> str:
        return describe_element(self.facts["role"], self.facts["name"])


async def upload_files_and_describe_result(page: PageServices, file_names: Sequence[str]) -> str:
    """Answer the open file chooser with files, or pass them to the page's only file input.

    Args:
        file_names: Paths, absolute or relative to the working directory; empty to cancel the
            chooser.

    Returns:
        A sentence about the result.

    Raises:
        CallError: A file may not be read, or the input does not accept such files. Also if no
            chooser is open and the page has no file input, or several enabled ones.
        ElementError: The input was removed, or is disabled.
    """
    paths = [page.files.resolve_to_read(name) for name in file_names]
    chooser = page.file_choosers.claim_open_chooser()
    if not paths:
        return await _cancel_chooser(page, chooser)
    try:
        file_input = await (
            _ChooserInputLookup(page).find_file_input(chooser)
            if chooser
            else _find_only_input(page)
        )
        _raise_if_input_does_not_accept_paths(file_input, paths)
    except ViewpointError:
        if chooser is not None and page.frames.get(chooser.frame_id) is not None:
            page.file_choosers.mark_chooser_open_again(chooser)
        raise
    await _set_files(page, file_input, paths)
    names = [f"{path.name}/" if path.is_dir() else path.name for path in paths]
    return f"Uploaded {_join_names(names)} to {file_input.label}{_type_remark(file_input, paths)}"


async def _set_files(page: PageServices, file_input: _FileInput, paths: Sequence[Path]) -> None:
    """Set the files of the input, and settle.

    Source: CDP `DOM.setFileInputFiles`.
    """
    async with page.settle_afterwards():
        await page.current_action.record_state_before_events(file_input.frame)
        page.file_choosers.note_chooser_answered()
        setting = file_input.frame.session.DOM.setFileInputFiles(
            files=[str(path) for path in paths], backendNodeId=file_input.backend_node_id
        )
        await page.current_action.perform_until_dialog(setting)


async def _cancel_chooser(page: PageServices, chooser: FileChooser | None) -> str:
    if chooser is None:
        raise CallError(
            "No file chooser is open.",
            "Pass paths to fill the page's file input.",
        )
    chooser_input = _ChooserInputLookup(page)
    file_input = await chooser_input.find_file_input(chooser)
    async with page.settle_afterwards():
        await page.current_action.record_state_before_events(file_input.frame)
        await page.current_action.perform_until_dialog(
            page.file_choosers.cancel_chooser(
                chooser.session, chooser_input.world, chooser_input.object_id
            )
        )
    return f"Cancelled the file chooser of {file_input.label}"


class _ChooserInputLookup:
    """A file input that is known by its node only, resolved in the isolated world."""

    world: IsolatedWorld
    object_id: str

    def __init__(self, page: PageServices) -> None:
        self._page = page

    async def find_file_input(self, chooser: FileChooser) -> _FileInput:
        frame = self._page.frames.get(chooser.frame_id)
        if frame is None:
            raise _input_removed_error()
        facts = await _run_unless_document_gone(
            self._page, self._read_facts(frame, chooser.backend_node_id)
        )
        return _FileInput(frame, chooser.backend_node_id, facts)

    async def _read_facts(self, frame: Frame, node_id: int) -> dict[str, Any]:
        self.world = await frame.world()
        object_id = await self.world.get_object_id_of_node(node_id)
        if object_id is None:
            raise _input_removed_error()
        self.object_id = object_id
        facts: dict[str, Any] = await self.world.call_on_nodes("fileField", [object_id])
        return facts


async def _find_only_input(page: PageServices) -> _FileInput:
    """Return the page's only file input, in any frame, visible or not."""
    found: list[tuple[Element, dict[str, Any]]] = []
    for frame in page.frames:
        found += await _find_inputs_in_frame(page, frame)
    enabled = [item for item in found if not item[1]["disabled"]]
    if not found:
        raise CallError(
            "No file chooser is open, and the page has no file input.",
            "Click the element that opens the chooser, then call this again.",
        )
    if len(enabled) > 1:
        inputs = ", ".join(f"{element.label} [ref={element.ref}]" for element, _ in enabled)
        raise CallError(
            f"No file chooser is open, and the page has {len(enabled)} file inputs: {inputs}.",
            "Click the right one, then call this again.",
        )
    element, facts = (enabled or found)[0]
    return _FileInput(element.frame, await element.get_backend_node_id(), facts)


async def _find_inputs_in_frame(
    page: PageServices, frame: Frame
) -> list[tuple[Element, dict[str, Any]]]:
    found = (
        await _run_unless_document_gone(page, _query_file_inputs(frame))
        if not frame.is_crashed
        else []
    )
    elements = []
    for facts in found:
        element = page.elements.register_ref(frame, facts["number"], facts["role"], facts["name"])
        elements.append((element, facts))
    return elements


async def _query_file_inputs(frame: Frame) -> list[dict[str, Any]]:
    world = await frame.world()
    await expose_all_closed_roots(world)
    found: list[dict[str, Any]] = await world.call("fileFields")
    return found


def _raise_if_input_does_not_accept_paths(file_input: _FileInput, paths: Sequence[Path]) -> None:
    facts = file_input.facts
    if facts["disabled"]:
        raise ElementDisabledError(f"{file_input.label} is disabled.")
    directories = [path for path in paths if path.is_dir()]
    if facts["directory"] and (len(paths) > 1 or not directories):
        raise CallError(f"{file_input.label} accepts one directory.", "Pass only its path.")
    if directories and not facts["directory"]:
        raise CallError(
            f"{directories[0]} is a directory; {file_input.label} accepts files.",
            "Pass files in it.",
        )
    if len(paths) > 1 and not (facts["multiple"] or facts["directory"]):
        raise CallError(f"{file_input.label} accepts one file, not {len(paths)}.", "Pass one path.")


def _type_remark(file_input: _FileInput, paths: Sequence[Path]) -> str:
    """Return a remark if the input asks for other types of files; "" if it accepts these files.

    The upload continues with other types, as in the file chooser of the browser.
    """
    accepted_types = [
        each.strip().lower() for each in file_input.facts["accept"].split(",") if each.strip()
    ]
    if (
        not accepted_types
        or file_input.facts["directory"]
        or all(_is_accepted(path, accepted_types) for path in paths)
    ):
        return ""
    return f" (it asks for {', '.join(accepted_types)})"


def _is_accepted(path: Path, accepted_types: Sequence[str]) -> bool:
    from mimetypes import guess_type

    kind = guess_type(path.name)[0] or ""
    return any(
        path.name.lower().endswith(each)
        if each.startswith(".")
        else kind == each or (each.endswith("/*") and kind.startswith(each[:-1]))
        for each in accepted_types
    )


def _join_names(names: Sequence[str]) -> str:
    more = len(names) - _MAX_NAMES
    return ", ".join(names[:_MAX_NAMES]) + (f" and {more} more" if more > 0 else "")


async def _run_unless_document_gone(page: PageServices, operation: Awaitable[T]) -> T:
    try:
        return await page.run_unless_blocked(operation)
    except WorldGoneError as error:
        raise page.blockers.blocking_error() or _input_removed_error() from error


def _input_removed_error() -> ElementError:
    return ElementError(
        "The file input no longer exists.", "Click the element that opens the chooser again."
    )
