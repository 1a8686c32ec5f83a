"""Random pages, the same in every run.

Plausible pages combine elements, ways to name them, and containers, as authors do. Nonsense pages
combine any tag with any role, attribute and style, to find unexpected cases.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random
from typing import Final

from tests.prove.fidelity.pages.page import CorpusPage

PLAUSIBLE_PAGES: Final = 60
NONSENSE_PAGES: Final = 20
DEEPEST: Final = 4

STYLES: Final = """<style>.b::before{content:"» "}.a::after{content:" (new)"}.i::before{content:"★" / "star"}
.vh{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}.up{text-transform:uppercase}
.flex{display:flex}.ib{display:inline-block}.blk{display:block}.none{display:none}.unseen{visibility:hidden}</style>"""

WORDS: Final = "save open order total next city mail green large second draft early quiet".split()

TEXT_INPUTS: Final = "text email tel url password search number date time color file range".split()
LEVELS: Final = "123456"
ROLE_WIDGETS: Final = (
    "button link checkbox radio switch textbox slider spinbutton option tab menuitem menuitemcheckbox"
    " treeitem combobox searchbox img heading listitem group region note status"
).split()


def generated_pages() -> Iterator[CorpusPage]:
    """Yield all pages."""
    for number in range(PLAUSIBLE_PAGES):
        author = Author(Random(f"plausible {number}"))
        yield CorpusPage("generated", f"generated {number}", html=author.page())
    for number in range(NONSENSE_PAGES):
        yield CorpusPage("nonsense", f"nonsense {number}", html=_nonsense(Random(f"no {number}")))


class Author:
    """Writes one plausible page."""

    def __init__(self, random: Random) -> None:
        self._random = random
        self._ids = 0

    def page(self) -> str:
        """The whole document."""
        parts = "\n".join(self.block(0) for _ in range(self._random.randint(6, 12)))
        return f'<!doctype html><html lang="en"><title>{self.words()}</title>{STYLES}<body>{parts}'

    def block(self, depth: int) -> str:
        """Return a container, or the contents of one."""
        makers: list[Callable[[int], str]] = [self.control, self.control, self.control, self.text]
        if depth < DEEPEST:
            makers += [self.section, self.list, self.table, self.group, self.widget_group]
        return self._random.choice(makers)(depth + 1)

    def blocks(self, depth: int) -> str:
        return "".join(self.block(depth) for _ in range(self._random.randint(1, 3)))

    def words(self) -> str:
        return " ".join(self._random.sample(WORDS, self._random.randint(1, 3)))

    def new_id(self) -> str:
        self._ids += 1
        return f"g{self._ids}"

    # ---- names

    def phrase(self) -> str:
        """Return text as in buttons, links, headings and labels."""
        choose = self._random.choice
        word, other = self.words(), self.words()
        return choose(
            (
                word,
                word,
                f"{word} <b>{other}</b>",
                f"<span>{word}</span><span>{other}</span>",
                f'<i class="b"></i>{word}',
                f'<span class="vh">{word}</span> {other}',
                f'{word}<span class="none">{other}</span>',
                f'<span aria-hidden="true">×</span> {word}',
                f'<img src="x.png" alt="{other}"> {word}',
                f'<img src="x.png" alt="">{word}',
                f'<svg width="9" height="9"><title>{other}</title><path d="M0 0h9"/></svg>',
                f'<svg width="9" height="9" aria-hidden="true"><path d="M0 0h9"/></svg> {word}',
                f"<div>{word}</div><div>{other}</div>",
                f'<span class="ib">{word}</span>{other}',
                f"{word}<br>{other}",
                f'<em class="a">{word}</em> <code>{other}</code>',
                f'<span aria-label="{other}">{word}</span>',
                f'<span class="unseen">{word}</span>{other}',
            )
        )

    def naming(self) -> tuple[str, str, str]:
        """Return the text before the element, its attributes, and its content."""
        kind = self._random.choice(
            ("content",) * 6 + ("label", "reference", "title", "none", "both")
        )
        text = self.words()
        if kind == "label":
            return "", f' aria-label="{text}"', self.phrase()
        if kind == "reference":
            made = self.new_id()
            hidden = self._random.choice(("", "", " hidden"))
            return (
                f'<span id="{made}"{hidden}>{self.phrase()}</span> ',
                f' aria-labelledby="{made}"',
                "",
            )
        if kind == "title":
            return "", f' title="{text}"', self._random.choice(("", self.phrase()))
        if kind == "both":
            return "", f' aria-label="{text}" title="{self.words()}"', self.phrase()
        return "", "", "" if kind == "none" else self.phrase()

    def state(self) -> str:
        return self._random.choice(
            ("",) * 8
            + (" disabled", ' aria-expanded="true"', ' aria-pressed="true"', ' aria-current="true"')
            + (' class="a"', ' class="up"', ' class="flex"', ' aria-disabled="true"')
        )

    # ---- elements

    def control(self, depth: int) -> str:
        return self._random.choice(
            (self.button, self.link, self.field, self.field, self.choice, self.role_widget)
        )()

    def button(self) -> str:
        before, attributes, content = self.naming()
        return f"{before}<button{attributes}{self.state()}>{content}</button>"

    def link(self) -> str:
        before, attributes, content = self.naming()
        href = self._random.choice(('href="/x"', 'href="#"', "", 'href="/y" target="_blank"'))
        return f"{before}<a {href}{attributes}>{content}</a>"

    def field(self) -> str:
        made = self.new_id()
        kind = self._random.choice(TEXT_INPUTS)
        tag = self._random.choice((f'<input type="{kind}"', f'<input type="{kind}"', "<textarea"))
        end = "</textarea>" if tag == "<textarea" else ""
        value = self._random.choice(("", "", ' value="7"', " required", " readonly", " disabled"))
        way = self._random.choice(("for", "around", "aria", "placeholder", "title", "none"))
        element = f'{tag} id="{made}"{value}'
        if way == "for":
            return f'<label for="{made}">{self.phrase()}</label>{element}>{end}'
        if way == "around":
            return f"<label>{self.phrase()} {element}>{end}</label>"
        attribute = {"aria": "aria-label", "placeholder": "placeholder", "title": "title"}.get(way)
        return (
            f"{element}>{end}"
            if attribute is None
            else f'{element} {attribute}="{self.words()}">{end}'
        )

    def choice(self) -> str:
        kind = self._random.choice(("checkbox", "radio", "select", "multiple", "switch"))
        if kind in {"select", "multiple"}:
            options = "".join(f"<option>{self.words()}</option>" for _ in range(3))
            many = " multiple" if kind == "multiple" else ""
            return f"<label>{self.phrase()} <select{many}>{options}</select></label>"
        role = ' role="switch"' if kind == "switch" else ""
        kind = "checkbox" if kind == "switch" else kind
        checked = self._random.choice(("", " checked"))
        return f'<label><input type="{kind}"{role}{checked}> {self.phrase()}</label>'

    def role_widget(self) -> str:
        before, attributes, content = self.naming()
        role = self._random.choice(ROLE_WIDGETS)
        tag = self._random.choice(("div", "span"))
        return (
            f'{before}<{tag} role="{role}" tabindex="0"{attributes}{self.state()}>{content}</{tag}>'
        )

    def text(self, depth: int) -> str:
        level = self._random.choice(LEVELS)
        return self._random.choice(
            (
                f"<p>{self.phrase()} {self.link()} {self.words()}</p>",
                f"<h{level}>{self.phrase()}</h{level}>",
                f"<div>{self.words()} <span onclick='1'>{self.words()}</span></div>",
                f'<img src="x.png" alt="{self.words()}">',
                f"<blockquote><p>{self.phrase()}</p></blockquote>",
                f"<figure><img src=x alt={self.words()!r}><figcaption>{self.phrase()}</figcaption></figure>",
                f"<dl><dt>{self.phrase()}</dt><dd>{self.phrase()}</dd></dl>",
                "<hr>",
            )
        )

    # ---- containers

    def section(self, depth: int) -> str:
        tag = self._random.choice("section article nav aside header footer form main div".split())
        heading = self.new_id()
        name = self._random.choice(
            (
                "",
                "",
                f' aria-label="{self.words()}"',
                f' aria-labelledby="{heading}"',
                ' class="flex"',
            )
        )
        return f'<{tag}{name}><h2 id="{heading}">{self.phrase()}</h2>{self.blocks(depth)}</{tag}>'

    def list(self, depth: int) -> str:
        tag = self._random.choice(
            ("ul", "ol", 'ul style="list-style:none"', 'ul role="list"', 'ul role="none"')
        )
        items = "".join(f"<li>{self.block(depth)}</li>" for _ in range(self._random.randint(1, 4)))
        return f"<{tag}>{items}</{tag.split()[0]}>"

    def table(self, depth: int) -> str:
        head = self._random.choice(
            ("", f"<thead><tr><th>{self.phrase()}</th><th>{self.words()}</th></tr></thead>")
        )
        caption = self._random.choice(("", "", f"<caption>{self.phrase()}</caption>"))
        cell = self._random.choice(("td", "td", "th"))
        rows = "".join(
            f"<tr><{cell}>{self.words()}</{cell}><td>{self.control(depth)}</td></tr>"
            for _ in range(3)
        )
        role = self._random.choice(
            ("", "", "", ' role="grid"', ' role="presentation"', ' border="1"')
        )
        return f"<table{role}>{caption}{head}<tbody>{rows}</tbody></table>"

    def group(self, depth: int) -> str:
        inside = self.blocks(depth)
        return self._random.choice(
            (
                f"<fieldset><legend>{self.phrase()}</legend>{inside}</fieldset>",
                f"<fieldset disabled>{inside}</fieldset>",
                f"<details open><summary>{self.phrase()}</summary>{inside}</details>",
                f"<details><summary>{self.phrase()}</summary>{inside}</details>",
                f'<div role="dialog" aria-label="{self.words()}">{inside}</div>',
                f'<div aria-hidden="true">{inside}</div>',
                f"<div hidden>{inside}</div>",
                f'<div style="display:contents">{inside}</div>',
                f"<x-box><template shadowrootmode=open><div><slot></slot></div></template>{inside}</x-box>",
            )
        )

    def widget_group(self, depth: int) -> str:
        outer, inner, tag = self._random.choice(
            (
                ("menu", "menuitem", "div"),
                ("menubar", "menuitem", "li"),
                ("tablist", "tab", "button"),
                ("listbox", "option", "li"),
                ("tree", "treeitem", "li"),
                ("radiogroup", "radio", "div"),
                ("toolbar", "button", "button"),
                ("list", "listitem", "div"),
            )
        )
        items = "".join(
            f'<{tag} role="{inner}">{self.phrase()}</{tag}>'
            for _ in range(self._random.randint(2, 3))
        )
        around = "ul" if tag == "li" else "div"
        return f'<{around} role="{outer}" aria-label="{self.words()}">{items}</{around}>'


TAGS: Final = (
    "a abbr address article aside b blockquote button caption code dd details div dl dt em fieldset"
    " figcaption figure footer form h1 h3 header hr i iframe img input label legend li main mark meter"
    " nav ol optgroup option output p pre progress q s section select slot small span strong sub summary"
    " svg table tbody td textarea th time tr ul video x-any"
).split()
ROLES: Final = (
    "alert article banner button cell checkbox columnheader combobox complementary dialog document feed"
    " figure form generic grid gridcell group heading img link list listbox listitem main menu menubar"
    " menuitem navigation none note option paragraph presentation progressbar radio radiogroup region row"
    " rowgroup search searchbox separator slider spinbutton status switch tab table tablist term text"
    " textbox toolbar tooltip tree treeitem bogus"
).split()
ATTRIBUTES: Final = (
    'href="/x"',
    'tabindex="0"',
    'tabindex="-1"',
    'aria-label="label"',
    'title="title"',
    'alt="alt"',
    'placeholder="hint"',
    'aria-hidden="true"',
    "disabled",
    "hidden",
    "open",
    "inert",
    'aria-checked="true"',
    'aria-expanded="true"',
    'aria-selected="true"',
    'aria-owns="n3"',
    'aria-labelledby="n1 n2"',
    'type="checkbox"',
    'type="radio"',
    'type="submit"',
    'onclick="1"',
    "contenteditable",
    'style="display:contents"',
    'style="display:block"',
    'style="visibility:hidden"',
    'style="cursor:pointer"',
    'size="3"',
    "multiple",
    'draggable="true"',
    'value="value"',
    'for="n2"',
    'aria-level="2"',
)


def _nonsense(random: Random) -> str:
    opened: list[str] = []
    parts = ["<!doctype html><title>Nonsense</title>"]
    for number in range(60):
        while opened and random.random() < 0.45:
            parts.append(f"</{opened.pop()}>")
        tag = random.choice(TAGS)
        role = f' role="{random.choice(ROLES)}"' if random.random() < 0.5 else ""
        extra = " ".join(random.sample(ATTRIBUTES, random.choice((0, 0, 1, 1, 2))))
        made = f' id="n{number // 10}"' if number % 10 == 0 else ""
        parts.append(f"<{tag}{made}{role} {extra}>{random.choice((*WORDS, '', ''))}")
        opened.append(tag)
    return "\n".join(parts)
