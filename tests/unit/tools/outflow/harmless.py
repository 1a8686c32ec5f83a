"""200 harmless flows across sites. Those of `NOTED` copy data: the guard cannot know that the user
asked for it."""

from __future__ import annotations

from collections.abc import Iterator
from urllib.parse import quote, quote_plus

from tests.unit.tools.outflow.corpus import Call, Flow, Show, Step

NOTED = {
    *("copy a contact", "track a parcel", "translate a paragraph"),
    "find a place: Kyoto Station, 600-8216",
}
APP = "https://app.acme.example"
SHOP = "https://www.shop.example"
PRODUCTS = """Sony WH-1000XM5 Wireless Noise Cancelling Headphones
Apple iPhone 17 Pro 256 GB Cosmic Orange
Bosch GSR 18V-55 Professional Drill Driver
LEGO Technic 42143 Ferrari Daytona SP3
Logitech MX Master 3S
Samsung 990 PRO 2TB NVMe
Kindle Paperwhite Signature Edition
Dyson V15 Detect Absolute
Nintendo Switch 2
Canon EOS R6 Mark II body
Anker 737 Power Bank 24000mAh
Philips Hue White & Color Ambiance E27
Garmin Forerunner 965
Makita DUC353Z chainsaw
AMD Ryzen 9 9950X3D
Moccamaster KBG Select
Raspberry Pi 5 8GB
Fujifilm X100VI
IKEA KALLAX 77x147 cm
Brompton C Line Explore
Bialetti Moka Express 6 cups
Ninja Foodi MAX AG551EU grill
Vitra Eames Lounge Chair""".splitlines()
ARTICLES = """Show HN: A browser for agents in Python
Senate passes climate bill after long night
How to prune apple trees in winter
The best ramen in Berlin
Linux 7.1 released
Ten books to read in 2026
Why we moved from Kubernetes to bare metal
Recipe: lentil soup with lemon
ECB keeps rates at 2.15 %
Python 3.15 beta 2""".splitlines()
ERRORS = """TypeError: Cannot read properties of undefined (reading 'map')
ModuleNotFoundError: No module named 'yaml'
ERR_CONNECTION_REFUSED localhost:5432
fatal: refusing to merge unrelated histories
Segmentation fault (core dumped)
error TS2345: Argument of type 'string' is not assignable
ENOSPC: no space left on device
CORS header 'Access-Control-Allow-Origin' missing
npm ERR! code ERESOLVE
java.lang.NullPointerException""".splitlines()
WORDS = """Gemütlichkeit
Wanderlust
saudade
Steuererklärung
Widerrufsbelehrung
auf Wiedersehen
l'esprit de l'escalier
Datenschutz-Grundverordnung
Das Haus liegt am See.
¿Dónde está la biblioteca?
Bitte Tür schließen
Rindfleischetikettierung
お疲れ様でした
Größe und Farbe wählen
fermé le dimanche""".splitlines()
PLACES = """12 Marlow Street, Leeds
Ristorante Da Enzo, Via dei Vascellari 29, Roma
Hauptbahnhof Zürich
221B Baker Street, London NW1 6XE
Museum Island, Berlin
1600 Amphitheatre Parkway, Mountain View
Café Central, Herrengasse 14, Wien
Sagrada Família
Gate B27, Terminal 2
Kyoto Station, 600-8216
48.8584, 2.2945
Platform 9, King's Cross
Unter den Linden 77, 10117 Berlin
Rua Augusta 100, Lisboa
Harbour Bridge, Sydney""".splitlines()
TIMES = """2026-12-24
24.12.2026 18:30
12/24/2026
Thu, 24 Dec 2026, 6:30 PM
2026-12-24T18:30
18:30-20:00
LH 456 on 24 December
2026-12-20 to 2026-12-27
week 52 of 2026
2025/2026""".splitlines()
NUMBERS = """€1,299.00
1 299,00 EUR
12 %
3.5 million
156.0.8078.108
192.168.178.1
4K, 120 Hz
1,234,567
v2.14.3
7 of 12""".splitlines()


def _show(url: str, *lines: str) -> Show:
    body = "\n".join(f"  - listitem: {each}" for each in lines)
    return Show(url, f"### Page\n- Page URL: {url}\n### Snapshot\n```yaml\n- list:\n{body}\n```")


def _go(url: str, page: str = "about:blank") -> Call:
    return Call("navigate", {"url": url}, page)


def _type(page: str, text: str) -> Call:
    return Call("type", {"ref": "e5", "text": text, "submit": True}, page)


def _list_searches() -> Iterator[Flow]:
    engines = ("https://www.google.com/search?q={}&hl=en", "https://duckduckgo.com/?q={}&ia=web")
    for number, product in enumerate(PRODUCTS):
        shown = _show(f"{SHOP}/p/{number}", product, "In stock", "€1,299.00", "Add to basket")
        url = engines[number % 2].format(quote_plus(product))
        yield Flow(f"search by URL: {product}", (shown, _go(url)))
        other = "https://prices.test/"
        yield Flow(f"compare prices: {product}", (shown, _go(other), _type(other, product)))
    for article in ARTICLES:
        shown = _show("https://news.test/", article, "21 comments", "Login")
        url = f"https://www.bing.com/search?q={quote(article)}+review"
        yield Flow(f"search an article: {article}", (shown, _go(url)))
    for error in ERRORS:
        shown = _show("https://ci.acme.example/builds/812", error, "exit status 1")
        page = "https://stackoverflow.com/search"
        yield Flow(f"search an error: {error}", (shown, _go(page), _type(page, error)))


def _list_translations() -> Iterator[Flow]:
    for number, word in enumerate(WORDS):
        shown = _show("https://shop.test/agb", word, "Weiter")
        page = "https://translate.test/"
        url = f"https://www.deepl.com/translator#de/en/{quote(word)}"
        give = (_go(url),) if number % 2 else (_go(page), _type(page, word))
        yield Flow(f"translate: {word}", (shown, *give))


def _list_copied_facts() -> Iterator[Flow]:
    for number, place in enumerate(PLACES):
        shown = _show("https://guide.test/city", place, "Open until 22:00", "4.6 stars")
        maps = f"https://www.google.com/maps/search/{quote(place)}"
        page = "https://taxi.test/"
        give = (_go(maps),) if number % 2 else (_go(page), _type(page, place))
        yield Flow(f"find a place: {place}", (shown, *give))
    for fact in (*TIMES, *NUMBERS):
        shown = _show("https://events.test/opera", fact, "Tosca", "Buy tickets")
        field = {"name": "When", "type": "textbox", "ref": "e4", "value": fact}
        page = "https://calendar.test/new"
        fill = Call("fill_form", {"fields": [field]}, page)
        yield Flow(f"copy a date or number: {fact}", (shown, _go(page), fill))


def _list_links() -> Iterator[Flow]:
    for number in range(20):
        code = f"{number:02}f9K{number * 7919:05}xQ{number * 104729:07}Zt"
        link = f"https://partner{number}.test/go/{code}?utm_source=mail&cid={code[::-1]}#top"
        shown = _show("https://mail.example.com/inbox", f"Read more: {link}", "Archive")
        yield Flow(f"follow a link: {number}", (shown, _go(link)))
    for number in range(15):
        shared = (
            f"https://docs.acme.example/d/1aB{number:03}cD-{number * 7919:06}-xyz/edit?usp=sharing"
        )
        shown = _show(shared, "Plan for the offsite", "Share")
        if number % 3 == 0:
            page = "https://chat.test/team"
            give = [_go(page), _type(page, f"Here is the plan: {shared}")]
        elif number % 3 == 1:
            give = [_go(f"https://social.test/share?url={quote(shared, safe='')}&text=Plan")]
        else:
            give = [_go(f"https://social.test/intent?text={quote_plus('Plan ' + shared)}")]
        yield Flow(f"share a link: {number}", (shown, *give))


def _list_sign_ons() -> Iterator[Flow]:
    login = "https://login.idp.test"
    for number in range(10):
        state = f"{number * 7919:08x}b7C{number * 104729:07}"
        back = f"{APP}/callback"
        there = (
            f"{login}/authorize?client_id=acme&redirect_uri={quote(back, safe='')}"
            f"&state={state}&nonce={state[::-1]}"
        )
        shown = _show(f"{APP}/login", f"Sign in with IdP: {there}", "Create account")
        form = _show(there, "User name", "Password")
        returned = f"{back}?code=4%2F0A{state}&state={state}"
        login_steps = (shown, _go(there), form, _type(there, "ada"))
        steps: tuple[Step, ...] = login_steps
        if number % 2:
            steps = (*login_steps, _show(there, f"Continue to {returned}"), _go(returned))
        yield Flow(f"single sign-on: {number}", steps)
    for number in range(10):
        # The user's own address: typed first, echoed by the site, typed again elsewhere.
        mail = f"ada{number}.lovelace@analytical.example"
        steps = (
            _show(f"{APP}/login", "E-mail", "Continue"),
            _type(f"{APP}/login", mail),
            _show(f"{APP}/login", f"We signed you out, {mail}", "Use single sign-on"),
            _go(f"{login}/start"),
            _type(f"{login}/start", mail),
        )
        yield Flow(f"own address: {number}", steps)
    for number in range(5):
        # Both sites know the number.
        order = f"8KD-{number}417-229-QX"
        steps = (
            _show("https://mail.example.com/1", f"Your order {order} was shipped"),
            _go(f"{SHOP}/orders"),
            _show(f"{SHOP}/orders", f"Order {order}", "Return items"),
            _type(f"{SHOP}/orders", order),
        )
        yield Flow(f"number that the site knows: {number}", steps)


def _list_work_on_one_site() -> Iterator[Flow]:
    for number in range(10):
        mail = f"customer{number}@firm{number}.example"
        steps = (
            _show("https://crm.acme.example/c/1", f"Contact: {mail}", "+49 30 901820-0"),
            _go(f"https://billing.acme.example/new?email={quote(mail)}"),
            _type("https://billing.acme.example/new", mail),
        )
        yield Flow(f"two hosts of one site: {number}", steps)
    scripts = [
        "document.querySelector('.product-card-price-now').textContent",
        "() => [...document.querySelectorAll('a')].map(a => a.href)",
        "() => document.title",
        "fetch('/api/items?page=2').then(r => r.json())",
        "window.scrollTo(0, document.body.scrollHeight)",
    ]
    for number in range(11):
        shown = _show("https://news.test/", ARTICLES[number % 10], "div.product-card-price-now")
        run = Call("evaluate", {"function": scripts[number % 5]}, f"{SHOP}/p/{number}")
        yield Flow(f"a script on another site: {number}", (shown, run))


def _list_copies() -> Iterator[Flow]:
    crm = _show("https://crm.test/c/7", "Grace Hopper", "grace@hopper.example", "+1 212 555 0142")
    field = {"name": "E-mail", "type": "textbox", "ref": "e4", "value": "grace@hopper.example"}
    page = "https://tickets.test/new"
    yield Flow("copy a contact", (crm, Call("fill_form", {"fields": [field]}, page)))
    parcel = _show(f"{SHOP}/orders/1", "Tracking number JD014600003SE8112233", "Delivered Friday")
    yield Flow("track a parcel", (parcel, _type("https://parcel.test/", "JD014600003SE8112233")))
    text = "Der Vertrag verlängert sich um ein Jahr, wenn er nicht drei Monate vor Ablauf endet."
    shown = _show("https://contract.test/", text)
    yield Flow("translate a paragraph", (shown, _type("https://translate.test/", text)))


def list_harmless_flows() -> list[Flow]:
    """Return the flows."""
    return [
        *(*_list_searches(), *_list_translations(), *_list_copied_facts(), *_list_links()),
        *(*_list_sign_ons(), *_list_work_on_one_site(), *_list_copies()),
    ]
