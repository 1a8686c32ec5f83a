"""What is about to be opened is awaited, or opened for a block."""

from __future__ import annotations

import pytest

from cdp_protocol import Opening


class Door:
    def __init__(self) -> None:
        self.times_closed = 0

    async def close(self) -> None:
        self.times_closed += 1


async def opened() -> Door:
    return Door()


async def locked() -> Door:
    raise LookupError("no key")


async def test_what_is_awaited_stays_open() -> None:
    opening = Opening(opened)

    assert (await opening).times_closed == 0
    assert await opening is not await opening


async def test_what_is_entered_is_closed_with_the_block() -> None:
    async with Opening(opened) as door:
        assert door.times_closed == 0

    assert door.times_closed == 1


async def test_what_fails_in_the_block_is_raised_once_it_is_closed() -> None:
    with pytest.raises(ValueError, match="inside"):
        async with Opening(opened) as door:
            raise ValueError("inside")

    assert door.times_closed == 1


async def test_what_cannot_be_opened_tells_it_on_entry() -> None:
    with pytest.raises(LookupError, match="no key"):
        async with Opening(locked):
            pytest.fail("It was entered.")
