"""The format of Playwright's storage state files, and their validation.

The values are credentials, so error messages, log lines and `repr` never contain any.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec
from msgspec import UNSET, Meta, UnsetType

from viewpoint_mcp.errors import CallError

SameSite = Literal["Strict", "Lax", "None"]

_MAX_LISTED = 5
_VALIDATION_FAULT = re.compile(r"(?P<what>.*?)(?: - at `\$\.?(?P<where>.*)`)?", re.DOTALL)


class _StatePart(msgspec.Struct, kw_only=True, rename="camel"):
    """Base of the file's parts. Fields are named as in the file; unknown fields are ignored."""

    def __repr__(self) -> str:
        return f"<{type(self).__name__}>"


class Cookie(_StatePart):
    """A cookie.

    Attributes:
        expires: Seconds since 1970; -1 for a session cookie.
        partition_key: Top-level site of a partitioned cookie.
        cross_site: Whether a partitioned cookie was set in a frame with a cross-site ancestor.
    """

    name: str
    value: str
    domain: str
    path: str = "/"
    expires: float = -1
    http_only: bool = False
    secure: bool = False
    same_site: SameSite = "Lax"
    partition_key: str | UnsetType = UNSET
    cross_site: bool | UnsetType = msgspec.field(default=UNSET, name="_crHasCrossSiteAncestor")


class LocalStorageItem(_StatePart):
    """An item of localStorage."""

    name: str
    value: str


class ObjectStoreRecord(_StatePart):
    """A record of an object store; key and value are plain JSON or in Playwright's encoding."""

    key: Any = UNSET
    key_encoded: Any = UNSET
    value: Any = UNSET
    value_encoded: Any = UNSET


class ObjectStoreIndex(_StatePart):
    """An index of an object store, with one of the two kinds of key path."""

    name: str
    key_path: str | UnsetType = UNSET
    key_path_array: list[str] | UnsetType = UNSET
    multi_entry: bool = False
    unique: bool = False


class ObjectStore(_StatePart):
    """An object store. Records have explicit keys only if the store has no key path."""

    name: str
    records: list[ObjectStoreRecord]
    indexes: list[ObjectStoreIndex]
    auto_increment: bool = False
    key_path: str | UnsetType = UNSET
    key_path_array: list[str] | UnsetType = UNSET


class Database(_StatePart):
    """An IndexedDB database."""

    name: str
    version: Annotated[int, Meta(ge=1)]
    stores: list[ObjectStore]


class OriginState(_StatePart):
    """The stored data of one origin.

    Attributes:
        opfs: Files of the origin private file system; only Playwright reads and writes them.
    """

    origin: Annotated[str, Meta(pattern=r"^https?://[^/?#\s@]+$")]
    local_storage: list[LocalStorageItem] = []
    indexed_db: list[Database] | UnsetType = msgspec.field(default=UNSET, name="indexedDB")
    opfs: list[Any] | UnsetType = UNSET


class StorageState(_StatePart):
    """The content of a storage state file.

    Attributes:
        credentials: Passkeys; only Playwright reads and writes them.
    """

    cookies: list[Cookie] = []
    origins: list[OriginState] = []
    credentials: list[Any] | UnsetType = UNSET

    @property
    def unsupported_parts(self) -> list[str]:
        """The parts of the file that are not restored."""
        origins = [each.origin for each in self.origins if each.opfs]
        unknown = [f"opfs of {', '.join(origins)}"] if origins else []
        return unknown + (["credentials"] if self.credentials else [])


def read_state(path: Path) -> StorageState:
    """Read and validate a storage state file.

    Raises:
        CallError: It cannot be read, or is malformed. The message names the field, never a value.
    """
    try:
        # Unlike msgspec, `json` accepts lone surrogates, which localStorage may hold.
        data = json.loads(path.read_bytes())
    except OSError as error:
        raise CallError(
            f"The storage state {path} cannot be read: {error.strerror or 'it is not a file'}.",
            "browser_context_save_storage writes such files.",
        ) from None
    except json.JSONDecodeError as error:
        # `from None`: the JSON error holds the whole text of the file.
        fault = f"{error.msg} in line {error.lineno}, column {error.colno}"
        raise _make_malformed_error(path, f"is not JSON: {fault}") from None
    except (ValueError, RecursionError):
        raise _make_malformed_error(path, "is not JSON") from None
    return convert_state(data, path)


def convert_state(data: object, name: Path | str = "in the configuration file") -> StorageState:
    """Validate the content of a storage state file.

    Args:
        data: The content, as JSON data.
        name: The place of the state, for the message.

    Raises:
        CallError: It is malformed. The message names the field, never a value.
    """
    try:
        return msgspec.convert(data, StorageState)
    except msgspec.ValidationError as error:
        fault = _remove_value_from_fault(str(error))
    raise _make_malformed_error(name, f"is malformed: {fault}")


def encode_state(state: StorageState) -> bytes:
    """Return the content of a state file, formatted like Playwright's."""
    return json.dumps(msgspec.to_builtins(state), indent=2).encode()


def encode_databases(origin: OriginState) -> str:
    """Return the origin's IndexedDB databases as JSON."""
    return json.dumps(msgspec.to_builtins(origin.indexed_db or []))


def encode_items(origin: OriginState) -> str:
    """Return the origin's localStorage items as JSON."""
    return json.dumps(msgspec.to_builtins(origin.local_storage))


def join_and_count_rest(clauses: list[str]) -> str:
    """Return the first five clauses and the number of others, as text; "" without clauses."""
    more = len(clauses) - _MAX_LISTED
    return "; ".join(clauses[:_MAX_LISTED]) + (f"; and {more} more" if more > 0 else "")


def _remove_value_from_fault(msgspec_fault: str) -> str:
    """Return msgspec's description of a fault without the value that it quotes."""
    found = _VALIDATION_FAULT.fullmatch(msgspec_fault)
    assert found is not None
    what, where = found["what"], found["where"] or ""
    if what.startswith("Invalid enum value"):
        what = 'Expected "Strict", "Lax" or "None"'
    elif "matching regex" in what:
        what = "Expected an origin, such as https://example.com"
    return f"{what} at {where}" if where else what


def _make_malformed_error(path: Path | str, fault: str) -> CallError:
    return CallError(
        f"The storage state {path} {fault.replace('`', '')}.",
        "Use the format of Playwright's storageState: cookies, and origins with localStorage.",
    )
