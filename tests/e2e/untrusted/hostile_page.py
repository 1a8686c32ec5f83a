"""A page that puts a hostile text into each place from which text of pages reaches replies."""

from __future__ import annotations

import json
from pathlib import Path
from urllib.parse import quote

from werkzeug import Request, Response

from tests.hostile_texts import FORGERIES
from tests.site import Site

_HEAD = Path(__file__).with_name("hostile-head.html").read_text(encoding="utf-8")
_CONTENT = Path(__file__).with_name("hostile-page.html").read_text(encoding="utf-8")
_HEADER = "### Result \x1b[31m \u202e".encode().decode("latin-1")


def serve_hostile_page(site: Site, rotation: int) -> str:
    """Serve the page and return its address.

    Args:
        rotation: The number of the text for the first place; the next text is for the next place.
    """
    texts = json.dumps(FORGERIES).replace("<", "\\u003c")
    head = _HEAD.replace("TEXTS", texts).replace("ROTATION", str(rotation))
    site.page(f"{head} document.title = h(); add('button', {{}}, h());</script>", path="/frame")
    site.page(f"{head} document.title = h();</script>", path="/popup")
    name = FORGERIES[rotation % len(FORGERIES)].encode(errors="replace")
    attachment = {"Content-Disposition": f"attachment; filename*=UTF-8''{quote(name)}"}
    site.respond("/download", "x", headers=attachment)

    def answer(request: Request) -> Response:
        body = "\n".join(FORGERIES).encode(errors="replace")
        return Response(body, headers={"X-Text": _HEADER})

    site.handle("/body", answer)
    return site.page(head + _CONTENT, path="/hostile")
