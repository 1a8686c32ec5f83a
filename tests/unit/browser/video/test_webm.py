"""The bytes of WebM files."""

from __future__ import annotations

import io
import struct

import pytest

from viewpoint_mcp.browser.video.webm import Chunk, WebmWriter

Elements = list[tuple[int, bytes, int]]
CONTAINERS = {0x18538067, 0x1549A966, 0x1654AE6B, 0xAE, 0xE0, 0x1F43B675, 0x1C53BB6B, 0xBB, 0xB7}


def parse(data: bytes, start: int = 0, end: int | None = None) -> Elements:
    """Return id, content and position of the elements in a part of a file."""
    found, position = [], start
    while position < (len(data) if end is None else end):
        at = position
        length = 9 - data[position].bit_length()
        element_id = int.from_bytes(data[position : position + length], "big")
        position += length
        width = 9 - data[position].bit_length()
        size = int.from_bytes(data[position : position + width], "big") & ~(1 << 7 * width)
        position += width
        found.append((element_id, data[position : position + size], at))
        position += size
    return found


def find(data: bytes, *path: int) -> list[bytes]:
    """Return the contents of all elements at a path of ids."""
    contents = [data]
    for element_id in path:
        contents = [
            content for each in contents for found, content, _ in parse(each) if found == element_id
        ]
    return contents


def write(*chunks: Chunk, duration: int = 1000) -> bytes:
    file = io.BytesIO()
    writer = WebmWriter(file, 800, 450)
    for chunk in chunks:
        writer.write(chunk)
    writer.complete(duration)
    return file.getvalue()


SEGMENT, CLUSTER = 0x18538067, 0x1F43B675
KEY, OTHER = Chunk(0, True, b"key"), Chunk(40, False, b"other")


def test_the_head_names_the_format_the_codec_and_the_size() -> None:
    data = write(KEY)
    assert find(data, 0x1A45DFA3, 0x4282) == [b"webm"]
    track = find(data, SEGMENT, 0x1654AE6B, 0xAE)[0]
    assert find(track, 0x86) == [b"V_VP8"]
    assert [int.from_bytes(find(track, 0xE0, each)[0], "big") for each in (0xB0, 0xBA)] == [
        800,
        450,
    ]


def test_the_length_is_written_at_the_end() -> None:
    (content,) = find(write(KEY, duration=8040), SEGMENT, 0x1549A966, 0x4489)
    assert struct.unpack(">d", content) == (8040.0,)


def test_the_segment_ends_where_the_file_ends() -> None:
    data = write(KEY, OTHER)
    segment = next(each for each in parse(data) if each[0] == SEGMENT)
    assert segment[2] + 12 + len(segment[1]) == len(data)


def test_frames_are_blocks_with_their_distance_from_the_cluster() -> None:
    data = write(Chunk(500, True, b"a"), Chunk(540, False, b"b"))
    (cluster,) = find(data, SEGMENT, CLUSTER)
    assert int.from_bytes(find(cluster, 0xE7)[0], "big") == 500
    assert find(cluster, 0xA3) == [b"\x81\x00\x00\x80a", b"\x81\x00\x28\x00b"]


def test_a_key_frame_starts_a_cluster_that_the_index_points_to() -> None:
    data = write(KEY, OTHER, Chunk(5000, True, b"key"))
    (segment,) = find(data, SEGMENT)
    clusters = [at for element_id, _, at in parse(segment) if element_id == CLUSTER]
    places = find(segment, 0x1C53BB6B, 0xBB, 0xB7, 0xF1)
    assert [int.from_bytes(each, "big") for each in places] == clusters
    times = find(segment, 0x1C53BB6B, 0xBB, 0xB3)
    assert [int.from_bytes(each, "big") for each in times] == [0, 5000]


def test_the_table_of_contents_points_to_the_elements() -> None:
    (segment,) = find(write(KEY), SEGMENT)
    places = {at: element_id for element_id, _, at in parse(segment)}
    for seek in find(segment, 0x114D9B74, 0x4DBB):
        ((wanted,), (position,)) = find(seek, 0x53AB), find(seek, 0x53AC)
        assert places[int.from_bytes(position, "big")] == int.from_bytes(wanted, "big")


@pytest.mark.parametrize(
    "later", [Chunk(40_000, False, b"late"), Chunk(41, False, b"after a large frame")]
)
def test_a_cluster_is_neither_long_nor_large(later: Chunk) -> None:
    large = Chunk(40, False, bytes(1_500_000))
    data = write(KEY, large, later)
    blocks = [find(each, 0xA3) for each in find(data, SEGMENT, CLUSTER)]
    assert len(blocks) == 2
    assert blocks[1][0].endswith(later.data)


def test_a_file_that_was_not_completed_has_all_frames_before_the_last_cluster() -> None:
    file = io.BytesIO()
    writer = WebmWriter(file, 800, 450)
    for chunk in (KEY, OTHER, Chunk(5000, True, b"key")):
        writer.write(chunk)
    data = file.getvalue()
    assert b"\x01\xff\xff\xff\xff\xff\xff\xff" in data[:160]  # a size that players ignore
    assert data.endswith(b"other")
