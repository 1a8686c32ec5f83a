"""A generated locator finds its element again: after a reload, in frames, in shadow roots."""

from __future__ import annotations

import re

import pytest

from tests.browser.page.agent import Agent
from tests.site import Site
from viewpoint_mcp.errors import ElementError

SHOP = """<title>Shop</title><h1>Teas</h1>
<button data-testid=save>Save</button> <button>Buy</button> <button>Buy now</button>
<label>Email <input type=email></label> <input placeholder="Find a tea"> <input type=date id=day>
<img src="" alt="Map of India"> <p>Free delivery</p> <a href="/cart" id="a8f3k2x9"><svg></svg></a>
<ul><li>Oolong <button>Add</button><li>Assam <button>Add</button></ul>
<section aria-label=Offers><button>More</button></section>
<section aria-label=News><button>More</button></section>
<div><button>Delete</button></div><div><button>Delete</button></div>
<button id=clear>Clear (<script></script>1)</button>
<div id=host></div><script>
host.attachShadow({ mode: 'open' }).innerHTML = '<button>In shadow</button>'
document.body.insertAdjacentHTML('beforeend', `<i tabindex=0 id="x-${Math.random()}"></i>`)
</script>"""


async def locator_of(agent: Agent, target: str) -> str:
    element = await agent.page.find_element(target)
    return (await agent.page.elements.test_support.generate_locator(element)).render()


@pytest.mark.parametrize(
    ("target", "locator"),
    [
        ('button "Save"', "getByTestId('save')"),
        ('button "Buy"', "getByRole('button', { name: 'Buy', exact: true })"),
        ('button "Buy now"', "getByRole('button', { name: 'Buy now' })"),
        ('textbox "Email"', "getByRole('textbox', { name: 'Email' })"),
        ('textbox "Find a tea"', "getByRole('textbox', { name: 'Find a tea' })"),
        ("#day", "locator('#day')"),
        ('img "Map of India"', "getByRole('img', { name: 'Map of India' })"),
        ("p", "getByText('Free delivery')"),
        ("a", "locator('a[href=\"/cart\"]')"),
        ("#clear", "getByText('Clear (1)')"),
        ("h1", "getByRole('heading', { name: 'Teas' })"),
        (
            'button "Add" in listitem "Assam"',
            (
                "getByRole('listitem').filter({ hasText: 'Assam' })"
                ".getByRole('button', { name: 'Add' })"
            ),
        ),
        (
            'button "More" in region "News"',
            "getByRole('region', { name: 'News' }).getByRole('button', { name: 'More' })",
        ),
        ("div:nth-of-type(2) button", "getByRole('button', { name: 'Delete' }).nth(1)"),
        ('button "In shadow"', "getByRole('button', { name: 'In shadow' })"),
        ("i", "locator('i')"),
    ],
)
async def test_a_locator_names_what_a_person_sees_and_no_generated_id(
    agent: Agent, target: str, locator: str
) -> None:
    await agent.open(SHOP)
    assert await locator_of(agent, target) == locator


async def test_each_locator_finds_its_element_again_after_a_reload(agent: Agent) -> None:
    text = await agent.load(SHOP)
    refs = re.findall(r"\[ref=(e\d+)\]", text)
    assert len(refs) > 10
    locators = [await locator_of(agent, ref) for ref in refs]
    await agent.load(SHOP)
    assert [await locator_of(agent, locator) for locator in locators] == locators
    assert len(set(locators)) == len(locators)


FRAMES = """<h1>Checkout</h1><iframe name=pay srcdoc="<label>Card <input></label>
<iframe srcdoc='<button>Deep</button>'></iframe>"></iframe>
<iframe srcdoc="<button>Deep</button>"></iframe>"""


async def test_a_locator_enters_each_frame_around_the_element(agent: Agent) -> None:
    text = await agent.load(FRAMES)
    refs = re.findall(r'button "Deep" \[ref=(f\de1)\]', text)
    pay = "locator('iframe[name=\"pay\"]').contentFrame()"
    deep = "getByRole('button', { name: 'Deep' })"
    locators = [await locator_of(agent, ref) for ref in refs]
    assert locators == [
        f"{pay}.locator('iframe').contentFrame().{deep}",
        f"locator('iframe').nth(1).contentFrame().{deep}",
    ]
    for ref, locator in zip(refs, locators, strict=True):
        assert str((await agent.page.find_element(locator)).ref) == ref
    python = "page.frame_locator('iframe[name=pay]').get_by_label('Card')"
    assert str((await agent.page.find_element(python)).ref).startswith("f")


async def test_a_frame_that_cannot_be_entered_is_an_error_about_the_iframe(agent: Agent) -> None:
    await agent.load(FRAMES)
    for locator in (
        "frameLocator('iframe').locator('p')",
        "locator('h1').contentFrame().locator('p')",
    ):
        with pytest.raises(Exception, match=re.escape(locator)):
            await agent.page.find_element(locator)


async def test_a_frame_of_another_site_is_entered_too(agent: Agent, site: Site) -> None:
    other = site.page("<button>Pay</button>").replace("localhost", "127.0.0.1")
    await agent.go(site.page(f'<iframe title="Payment" src="{other}"></iframe>'))
    locator = await locator_of(agent, 'button "Pay"')
    assert locator == (
        "locator('iframe[title=\"Payment\"]').contentFrame().getByRole('button', { name: 'Pay' })"
    )
    assert (await agent.page.find_element(locator)).frame.parent is not None


async def test_an_element_in_a_closed_shadow_root_is_marked(agent: Agent) -> None:
    await agent.load(
        "<div id=host></div><script>host.attachShadow({ mode: 'closed' })"
        ".innerHTML = '<button>Inner</button>'</script>"
    )
    element = await agent.find("button")
    locator = await agent.page.elements.test_support.generate_locator(element)
    assert (locator.render(), locator.is_closed) == ("getByRole('button', { name: 'Inner' })", True)


async def test_an_element_that_is_gone_has_no_locator(agent: Agent) -> None:
    await agent.open("<button>Go</button>")
    element = await agent.find("button")
    await agent.run("document.querySelector('button').remove()")
    with pytest.raises(ElementError):
        await agent.page.elements.test_support.generate_locator(element)


@pytest.mark.parametrize(
    ("identifier", "is_used"),
    [
        *(("main-menu", True), ("step2", True), ("btnSave", True), ("row-12", True)),
        *((":r1:", False), ("radix-3", False), ("ember1042", False), ("a8f3k2", False)),
        *(
            ("4f5e6d7c-1a2b-4c3d-9e8f-aabbccddeeff", False),
            ("css-bdVaJa", False),
            ("order-20417", False),
        ),
    ],
)
async def test_an_id_that_looks_generated_is_not_used(
    agent: Agent, identifier: str, is_used: bool
) -> None:
    await agent.open(f"<i id='{identifier}' tabindex=0></i><i tabindex=0></i>")
    assert (identifier in await locator_of(agent, "i:first-of-type")) == is_used
