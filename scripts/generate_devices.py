"""Writes the devices that can be emulated: those of Chrome DevTools, and others of Playwright.

    generate_devices.py                      from the committed scripts/emulated_devices.ts
    generate_devices.py --from PACKAGE.tgz   from a release of npm's chrome-devtools-frontend, a
                                             file or an
                                             address,
                                             whose list
                                             replaces
                                             that one
    generate_devices.py --check              writes nothing, fails when the file is stale

`npm view chrome-devtools-frontend dist.tarball` names the newest release. The committed list is
DevTools' text between its marks for such readers, unchanged, with its licence (BSD, 3 clauses).

scripts/playwright_devices.json has the sizes and user agents of the devices that `--device` of
playwright-mcp accepts. For a name in both lists, the values of DevTools count.
"""

from __future__ import annotations

import argparse
import ast
import io
import json
import re
import sys
import tarfile
import urllib.request
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
LIST = ROOT / "scripts" / "emulated_devices.ts"
PLAYWRIGHT_LIST = ROOT / "scripts" / "playwright_devices.json"
DEVICES = ROOT / "viewpoint_mcp" / "config" / "emulation" / "devices.json"

IN_PACKAGE = "package/front_end/models/emulation/EmulatedDevices.ts"
HEAD = """\
// DevTools' list of devices, from {release}; scripts/generate_devices.py takes it out of there.

{licence}
"""
# Text for browsers is before ELSE, and text for others after it, as a comment.
FOR_BROWSERS = re.compile(r"/\* DEVICE-LIST-IF-JS \*/.*?/\* DEVICE-LIST-ELSE", re.DOTALL)
END_FOR_OTHERS = "DEVICE-LIST-END-IF */"
TOKEN = re.compile(r"'(?:[^'\\]|\\.)*'|\b(?:true|false)\b|//[^\n]*|/\*.*?\*/", re.DOTALL)


def fetched(source: str) -> str:
    """Take the list out of a release of the package, with its licence before it.

    Args:
        source: A path, or an http address.
    """
    if source.startswith(("http://", "https://")):
        with urllib.request.urlopen(source, timeout=300) as answer:
            data = answer.read()
    else:
        data = Path(source).read_bytes()
    with tarfile.open(fileobj=io.BytesIO(data)) as package:
        version = json.loads(_text(package, "package/package.json"))["version"]
        licence = _text(package, "package/LICENSE").strip()
        source_text = _text(package, IN_PACKAGE)
    found = re.search(r"// DEVICE-LIST-BEGIN\n.*// DEVICE-LIST-END\n", source_text, re.DOTALL)
    if found is None:
        raise SystemExit(f"{IN_PACKAGE} has no list between the marks any more.")
    head = HEAD.format(release=f"chrome-devtools-frontend {version}", licence=licence)
    return head + "\n" + found[0]


def _text(package: tarfile.TarFile, name: str) -> str:
    file = package.extractfile(name)
    assert file is not None
    return file.read().decode()


def devices_of(text: str) -> dict[str, Any]:
    """Read the list: JavaScript literals, which are Python's but for comments, true and false."""
    listed = text[text.index("// DEVICE-LIST-BEGIN") :]
    listed = FOR_BROWSERS.sub("", listed).replace(END_FOR_OTHERS, "")
    literal = TOKEN.sub(_as_python, listed)
    return {each["title"]: _device(each) for each in ast.literal_eval(f"[{literal}]")}


def _as_python(token: re.Match[str]) -> str:
    if token[0].startswith("/"):
        return ""
    return token[0].capitalize() if token[0] in ("true", "false") else token[0]


def _device(listed: dict[str, Any]) -> dict[str, Any]:
    """Return the used fields of a device, in portrait orientation if it has one, as DevTools shows
    it.
    """
    modes = listed.get("modes") or [{"orientation": "vertical"}]
    upright = any(mode["orientation"] == "vertical" for mode in modes)
    screen = listed["screen"]["vertical" if upright else "horizontal"]
    device = {
        "viewport": [screen["width"], screen["height"]],
        "scale": listed["screen"]["device-pixel-ratio"],
        "mobile": "mobile" in listed["capabilities"],
        "touch": "touch" in listed["capabilities"],
    }
    if listed["user-agent"]:
        device["userAgent"] = listed["user-agent"]
    if hints := listed.get("user-agent-metadata"):
        device["hints"] = hints
    return device


def generated(text: str) -> str:
    """Return the contents of the file of devices, one device per line."""
    release = re.search(r"chrome-devtools-frontend [\d.]+", text)
    assert release is not None
    # The licence must be included in derived files.
    licence = re.findall(r"^// ?(.*)", text[: text.index("// DEVICE-LIST-BEGIN")], re.MULTILINE)[1:]
    playwright = json.loads(PLAYWRIGHT_LIST.read_text("utf-8"))
    devices = devices_of(text)
    known = {name.casefold() for name in devices}
    devices |= {
        name: device
        for name, device in playwright["devices"].items()
        if name.casefold() not in known
    }
    head = {
        "source": f"GENERATED by scripts/generate_devices.py from {release[0]} and "
        f"{playwright['source']}",
        "licence": "\n".join(licence),
    }
    lines = (f"{json.dumps(name)}: {json.dumps(d)}" for name, d in devices.items())
    return json.dumps(head)[:-1] + ',\n"devices": {\n' + ",\n".join(lines) + "\n}}\n"


def main() -> int:
    """Run the command line."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else None)
    parser.add_argument("--from", dest="package", metavar="FILE|URL", help="a release, as .tgz")
    parser.add_argument("--check", action="store_true", help="write nothing; fail when stale")
    options = parser.parse_args()
    if options.package:
        LIST.write_text(fetched(options.package), "utf-8")
    wanted = generated(LIST.read_text("utf-8"))
    if not options.check:
        DEVICES.write_text(wanted, "utf-8")
    elif not DEVICES.exists() or DEVICES.read_text("utf-8") != wanted:
        sys.stderr.write(f"{DEVICES.relative_to(ROOT)} is stale; run scripts/generate_devices.py\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
