"""The times of a video."""

from __future__ import annotations

from viewpoint_mcp.browser.video.timeline import KeyFrames, Timeline


def test_a_frame_has_the_time_of_the_clock() -> None:
    timeline = Timeline(100.0)
    assert [timeline.place_frame(each) for each in (100.0, 100.04, 101.5)] == [0, 40, 1500]


def test_no_frame_has_the_time_of_the_one_before() -> None:
    timeline = Timeline(100.0)
    assert [timeline.place_frame(each) for each in (100.0, 100.0001, 99.0)] == [0, 1, 2]


def test_inserted_time_moves_the_later_frames() -> None:
    timeline = Timeline(0.0)
    assert timeline.place_frame(1.0) == 1000
    assert timeline.place_frame(1.0, delay=200) == 1200
    timeline.insert(2000)
    assert timeline.place_frame(1.0) == 3000
    assert timeline.place_frame(1.5) == 3500


def test_key_frames_come_every_five_seconds_while_the_picture_changes() -> None:
    key_frames = KeyFrames()
    times = [0, 1000, 4999, 5000, 6000, 10_000]
    assert [each for each in times if key_frames.is_due(each, has_changed=True)] == [
        0,
        5000,
        10_000,
    ]


def test_a_picture_that_does_not_change_has_few_key_frames() -> None:
    key_frames = KeyFrames()
    times = range(0, 45_000, 1000)
    due = [each for each in times if key_frames.is_due(each, has_changed=False)]
    assert due == [0, 20_000, 40_000]
