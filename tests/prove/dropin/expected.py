"""The effects of each configuration, and the differences that the documentation explains."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

# The sentence, or the beginning of a row, in docs/migration.md or docs/comparison.md.
_ABSENT = "| `browser_run_code_unsafe` | absent |"
_DIALOG = "Without an open dialog, it answers the next one instead of an error."
_REPLIES = "| reply to an action | a link to a file with the snapshot |"
_PICTURES = "| screenshot | the image, in the reply |"
_OUTPUT = "| `--output-dir` | `.playwright-mcp` |"
_CLOSE = "It closes the active tab, not the browser"
_KEY = "| `--port` | no key |"
_WIDE_PAGE = "A page that is wider than the screen of a phone is shown in its size"
_LOCALE = "| `--locale`, `contextOptions.locale` |"
_WORKERS = "| `--block-service-workers` |"

EVERYWHERE: Final[Mapping[str, str]] = {
    "tools": _ABSENT,
    "no dialog": _DIALOG,
}
_DEFAULT_DIRECTORY = {"automatic screenshots": _OUTPUT}
_IMAGES = {"images in the replies": _PICTURES}
_SNAPSHOT_FILES = {"automatic snapshots": _REPLIES}
_ISOLATED = {"kept after close": _CLOSE}

EXPECTED: Final[Mapping[str, Mapping[str, str]]] = {
    "agentic_workflow": _IMAGES | _SNAPSHOT_FILES | {"service worker": _WORKERS},
    "ci": _ISOLATED | {"page: language": _LOCALE, "page: language header": _LOCALE},
    "claude_code": _IMAGES | _SNAPSHOT_FILES | _ISOLATED,
    "claude_desktop": _IMAGES | _SNAPSHOT_FILES | _DEFAULT_DIRECTORY,
    "cline": _IMAGES | _SNAPSHOT_FILES | _DEFAULT_DIRECTORY | _ISOLATED,
    "codex": _SNAPSHOT_FILES | _DEFAULT_DIRECTORY | _ISOLATED,
    "cursor": _IMAGES | _SNAPSHOT_FILES,
    "docker_service": _IMAGES
    | _SNAPSHOT_FILES
    | _DEFAULT_DIRECTORY
    | _ISOLATED
    | {"needs a key": _KEY},
    "opencode": _IMAGES | _SNAPSHOT_FILES | _DEFAULT_DIRECTORY,
    "vscode": _IMAGES | _SNAPSHOT_FILES | _ISOLATED | {"screenshot": _WIDE_PAGE},
}

# Outcomes that both servers have only if they read the configuration.
EFFECTS: Final[Mapping[str, Mapping[str, Any]]] = {
    "agentic_workflow": {
        "origins": {"shop": "answered", "other shop": "failed"},
        "automatic screenshots": {"mcp-logs/playwright"},
    },
    "ci": {
        "page: viewport": "1280x720",
        "page: zone": "Europe/Oslo",
        "page: dark": True,
        "page: position": "59.9,10.75",
        "page: extra header": "ci-42",
        "page: init script": True,
        "values of the form": ["<secret>SHOP_NAME</secret>", "anna@example.org"],
        "secret in a reply": False,
        "images in the replies": [0, 0, 0],
        "automatic screenshots": {"output"},
        "automatic snapshots": False,
    },
    "claude_code": {
        "page: viewport": "390x844",
        "boxes in the snapshot": True,
        "origins": {"shop": "answered", "other shop": "failed"},
        "kept after a restart": [None],
        "automatic screenshots": {"critic"},
    },
    "claude_desktop": {"kept after close": ["yes"], "kept after a restart": ["yes"]},
    "cline": {"page: cookie": "session=anna", "page: theme": "dark"},
    "codex": {
        "page: viewport": "1440x900",
        "page: permission": "granted",
        "images in the replies": [0, 0, 0],
    },
    "cursor": {
        "page: viewport": "1280x800",
        "click a point": ("success", [12, 34]),
        "PDF": ("success", b"%PDF-"),
        "automatic screenshots": {".cursor/playwright"},
    },
    "docker_service": {"navigate": "success", "kept after a restart": [None]},
    "opencode": {
        "storage": (["success"] * 7, True, ["tea=green", "oolong", "assam"]),
        "verify": ["success", "error", "success", "error", "success"],
        "saved session": True,
    },
    "vscode": {
        "page: screen": "390x844",
        "page: touch": True,
        "page: mobile": True,
        "page: scale": 3,
        "automatic screenshots": {"artifacts"},
    },
}


def list_expected(configuration: str) -> Mapping[str, str]:
    """Return the outcomes that differ with a configuration, with the text that explains it."""
    return {**EVERYWHERE, **EXPECTED[configuration]}
