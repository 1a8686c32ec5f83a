"""The devices that can be emulated. `devices.json` is generated from the list of DevTools."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

from viewpoint_mcp.errors import CallError

_LANDSCAPE = " landscape"


def device(name: str) -> dict[str, Any]:
    """Return the emulation of a device, as fields of `Emulation`.

    Args:
        name: The name in DevTools, in any case. The suffix " landscape" swaps width and height.

    Raises:
        CallError: No device has this name. The hint lists similar names.
    """
    wanted = " ".join(name.split()).casefold()
    listed = _devices().get(wanted.removesuffix(_LANDSCAPE))
    if listed is None:
        raise _unknown(name)
    width, height = listed["viewport"]
    return {
        "viewport": (height, width) if wanted.endswith(_LANDSCAPE) else (width, height),
        "scale": listed["scale"],
        "mobile": listed["mobile"],
        "touch": listed["touch"],
        "user_agent": listed.get("userAgent"),
        "hints": listed.get("hints"),
    }


def _unknown(name: str) -> CallError:
    from difflib import get_close_matches

    wanted = name.casefold().removesuffix(_LANDSCAPE)
    near = get_close_matches(wanted, _devices(), n=5, cutoff=0.5)
    names = ", ".join(_devices()[each]["name"] for each in near or list(_devices())[::8])
    return CallError(
        f'There is no device "{name}".', f"{'Near it are' if near else 'There are'}: {names}."
    )


@cache
def _devices() -> dict[str, dict[str, Any]]:
    from importlib.resources import files

    text = files(__package__).joinpath("devices.json").read_text(encoding="utf-8")
    return {
        name.casefold(): {"name": name, **listed}
        for name, listed in json.loads(text)["devices"].items()
    }
