"""Reports about the state that is lost with a browser."""

from __future__ import annotations

import pytest

from viewpoint_mcp.browser.health.browser_loss import BrowserLoss
from viewpoint_mcp.errors import BrowserError, BrowserLostError, CallError, PageError

NOTHING = BrowserLoss("the browser exited", [], is_attached=False)
TWO = BrowserLoss("the browser hung", ["default", "a"], is_attached=False)
THEIRS = BrowserLoss("the browser cannot be reached any more", ["a"], is_attached=True)


@pytest.mark.parametrize(
    ("loss", "is_over", "expected"),
    [
        (NOTHING, False, "The browser exited. All refs are void."),
        (NOTHING, True, "The browser exited and was started again. All refs are void."),
        (
            TWO,
            True,
            (
                "The browser hung and was started again. All refs are void; the cookies and "
                'storage of the contexts "default", "a" are lost.'
            ),
        ),
        (
            THEIRS,
            True,
            (
                "The browser cannot be reached any more and was attached to again. All refs are "
                'void; the cookies and storage of the context "a" are lost.'
            ),
        ),
    ],
)
def test_a_loss_is_reported(loss: BrowserLoss, is_over: bool, expected: str) -> None:
    assert loss.make_report(is_browser_running=is_over) == expected


def test_a_loss_reported_by_an_error_is_not_reported_again() -> None:
    assert TWO.explain_unless_call_error(PageError("No."))
    assert not TWO.explain_unless_call_error(CallError("No."))
    text = TWO.make_report(is_browser_running=True, is_explained=True)
    assert text == "The browser hung and was started again."


def test_files_that_had_not_arrived_are_named() -> None:
    loss = BrowserLoss("the browser exited", [], is_attached=False, downloads=["a.zip", "b.zip"])
    result = loss.make_report(is_browser_running=False)
    assert result.endswith(
        "The download of file a.zip was cut off. The download of file b.zip was cut off."
    )


def test_lost_routes_are_mentioned() -> None:
    loss = BrowserLoss("the browser exited", [], is_attached=False, has_lost_emulation=True)
    result = loss.make_report(is_browser_running=True, is_explained=False)
    assert result.endswith(
        "All refs are void. Routes and changes of the emulation must be set again."
    )


def test_the_error_of_a_lost_browser_names_the_lost_state_and_the_next_step() -> None:
    error = BrowserLostError("The browser is gone.")
    NOTHING.explain_unless_call_error(error)
    assert str(error) == ("The browser is gone. All refs are void. The next call starts it again.")


@pytest.mark.parametrize("error", [PageError("No.", "Try."), BrowserError("No.", "Try.")])
def test_another_error_that_the_loss_caused_comes_after_it(error: PageError | BrowserError) -> None:
    NOTHING.explain_unless_call_error(error)
    assert str(error).startswith("The browser exited. No. All refs are void.")


def test_an_error_of_the_call_itself_is_left_as_it_is() -> None:
    error = CallError("No.", "Try.")
    NOTHING.explain_unless_call_error(error)
    assert str(error) == "No. Try."
