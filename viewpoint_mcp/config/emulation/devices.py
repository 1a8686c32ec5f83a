"""The devices that can be emulated. `devices.json` is generated from the lists of DevTools and
Playwright.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from typing import Any

from viewpoint_mcp.errors import CallError

DEFAULT_PHONE = "Pixel 10"
"""The device that --mobile emulates."""

_LANDSCAPE_SUFFIX = " landscape"


def find_device(name: str) -> dict[str, Any]:
    """Return the emulation of a device, as fields of `Emulation`.

    Args:
        name: The name in DevTools or Playwright, in any case. The suffix " landscape" swaps width
            and height.

    Raises:
        CallError: No device has this name. The hint lists similar names.
    """
    entry, is_landscape = _find_entry(name)
    sizes = {
        key: tuple(reversed(entry[key]) if is_landscape else entry[key])
        for key in ("viewport", "screen")
        if key in entry
    }
    return {
        "viewport": sizes["viewport"],
        "screen": sizes.get("screen"),
        "scale": entry["scale"],
        "mobile": entry["mobile"],
        "touch": entry["touch"],
        "user_agent": entry.get("userAgent"),
        "hints": entry.get("hints"),
    }


def get_device_name(name: str) -> str:
    """Return the name of a device in the spelling of the list.

    Raises:
        CallError: No device has this name.
    """
    entry, is_landscape = _find_entry(name)
    return f"{entry['name']}{_LANDSCAPE_SUFFIX if is_landscape else ''}"


def override_device(device: Mapping[str, Any], **fields: Any) -> dict[str, Any]:
    """Return the fields of `Emulation` of a device, overridden by explicit fields.

    A user agent also removes the client hints of the device, which would contradict it.

    Args:
        device: Fields of `Emulation`; empty for no device.
        fields: Explicit fields by name. None means that a field is not set.
    """
    overrides = {name: value for name, value in fields.items() if value is not None}
    if "user_agent" in overrides:
        overrides["hints"] = None
    return {**device, **overrides}


def _find_entry(name: str) -> tuple[dict[str, Any], bool]:
    """Return the entry of a device in `devices.json`, and whether the name asks to turn it."""
    key = " ".join(name.split()).casefold()
    entry = _load_devices().get(key.removesuffix(_LANDSCAPE_SUFFIX))
    if entry is None:
        raise _make_unknown_device_error(name)
    return entry, key.endswith(_LANDSCAPE_SUFFIX)


def _make_unknown_device_error(name: str) -> CallError:
    from difflib import get_close_matches

    key = name.casefold().removesuffix(_LANDSCAPE_SUFFIX)
    similar = get_close_matches(key, _load_devices(), n=5, cutoff=0.5)
    names = ", ".join(
        _load_devices()[each]["name"] for each in similar or list(_load_devices())[::8]
    )
    return CallError(
        f'Unknown device "{name}".', f"{'Similar names' if similar else 'Examples'}: {names}."
    )


@cache
def _load_devices() -> dict[str, dict[str, Any]]:
    from importlib.resources import files

    text = files(__package__).joinpath("devices.json").read_text(encoding="utf-8")
    return {
        name.casefold(): {"name": name, **entry}
        for name, entry in json.loads(text)["devices"].items()
    }
