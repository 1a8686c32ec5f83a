"""A connection can be awaited, or opened for a block."""

from __future__ import annotations

import pytest

from cdp_protocol import Opening


class Door:
    def __init__(self) -> None:
        self.times_closed = 0

    async def close(self) -> None:
        self.times_closed += 1


async def open_door() -> Door:
    return Door()


async def fail_to_open() -> Door:
    raise LookupError("no key")


async def test_an_awaited_connection_stays_open() -> None:
    opening = Opening(open_door)

    assert (await opening).times_closed == 0
    assert await opening is not await opening


async def test_an_entered_connection_is_closed_with_its_block() -> None:
    async with Opening(open_door) as door:
        assert door.times_closed == 0

    assert door.times_closed == 1


async def test_an_exception_in_the_block_is_raised_after_closing() -> None:
    with pytest.raises(ValueError, match="inside"):
        async with Opening(open_door) as door:
            raise ValueError("inside")

    assert door.times_closed == 1


async def test_a_failure_to_open_is_raised_on_entry() -> None:
    with pytest.raises(LookupError, match="no key"):
        async with Opening(fail_to_open):
            pytest.fail("It was entered.")
