"""A page with a frame and all kinds of workers that fetch on request."""

from __future__ import annotations

from tests.site import Site

FETCH = "fetch(e.data).then(r => r.text(), e => 'failed').then(answer)"
PAGE = """<p>Main</p><iframe src=/frame></iframe><script>
self.dedicated = new Worker('/dedicated.js')
self.shared = new SharedWorker('/shared.js')
navigator.serviceWorker.register('/service.js')
function ask(port, url, listener) {
  return new Promise(done => { listener.onmessage = e => done(e.data); port.postMessage(url) })
}
</script>"""
SCRIPTS = {
    "/dedicated.js": f"onmessage = e => {{ const answer = t => postMessage(t); {FETCH} }}",
    "/shared.js": "onconnect = c => { const port = c.ports[0]; port.onmessage = e => "
    f"{{ const answer = t => port.postMessage(t); {FETCH} }} }}",
    "/service.js": f"onmessage = e => {{ const answer = t => e.source.postMessage(t); {FETCH} }}",
}
ASK = {
    "page": "fetch(URL).then(r => r.text(), e => 'failed')",
    "frame": "frames[0].fetch(URL).then(r => r.text(), e => 'failed')",
    "dedicated worker": "ask(dedicated, URL, dedicated)",
    "shared worker": "ask(shared.port, URL, shared.port)",
    "service worker": "navigator.serviceWorker.ready.then("
    "found => ask(found.active, URL, navigator.serviceWorker))",
}
"""A script for each place that returns the text of a response, with URL for the address."""


def serve_workers(site: Site) -> str:
    """Serve the page, and return its URL."""
    for path, script in SCRIPTS.items():
        site.respond(path, script, content_type="text/javascript")
    site.page("<p>Framed</p>", path="/frame")
    return site.page(PAGE, path="/workers")


def asking(place: str, url: str) -> str:
    """Return the script that asks a place for the text at a URL."""
    return f"async () => {ASK[place].replace('URL', repr(url))}"
