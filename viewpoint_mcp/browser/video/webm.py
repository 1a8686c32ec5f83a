"""A writer for WebM files with one VP8 track.

Sources: the WebM container guidelines, RFC 9559 (Matroska) and RFC 8794 (EBML).
"""

from __future__ import annotations

import struct
from typing import BinaryIO, Final, NamedTuple

_EBML: Final = 0x1A45DFA3
_SEGMENT: Final = 0x18538067
_SEEK_HEAD, _SEEK, _SEEK_ID, _SEEK_POSITION = 0x114D9B74, 0x4DBB, 0x53AB, 0x53AC
_INFO, _TIMESTAMP_SCALE, _DURATION = 0x1549A966, 0x2AD7B1, 0x4489
_MUXING_APP, _WRITING_APP = 0x4D80, 0x5741
_TRACKS, _TRACK = 0x1654AE6B, 0xAE
_TRACK_NUMBER, _TRACK_UID, _TRACK_TYPE, _LACING, _CODEC_ID = 0xD7, 0x73C5, 0x83, 0x9C, 0x86
_VIDEO, _WIDTH, _HEIGHT = 0xE0, 0xB0, 0xBA
_CLUSTER, _TIMESTAMP, _SIMPLE_BLOCK = 0x1F43B675, 0xE7, 0xA3
_CUES, _CUE_POINT, _CUE_TIME, _CUE_PLACE = 0x1C53BB6B, 0xBB, 0xB3, 0xB7
_CUE_TRACK, _CUE_CLUSTER = 0xF7, 0xF1

_NANOSECONDS_PER_TICK: Final = 1_000_000  # a tick is a millisecond
_UNKNOWN_SIZE: Final = b"\x01\xff\xff\xff\xff\xff\xff\xff"
_KEY_FRAME: Final = 0x80
_MAX_CLUSTER_BYTES: Final = 1_000_000
_MAX_CLUSTER_MS: Final = 30_000  # a block states its time as a signed 16-bit distance


class Chunk(NamedTuple):
    """One encoded frame.

    Attributes:
        timestamp: Milliseconds from the start of the video.
        is_key: Whether the frame can be decoded without those before it.
        data: The frame as the encoder made it.
    """

    timestamp: int
    is_key: bool
    data: bytes


class WebmWriter:
    """Writes the frames of one video as they come, and completes the file at the end.

    A file that was not completed plays, but states no length.

    Args:
        file: A seekable file, at its start.
        width: Width of the frames in pixels.
        height: Height of the frames in pixels.
    """

    def __init__(self, file: BinaryIO, width: int, height: int) -> None:
        self._file = file
        self._cluster_start = 0
        self._blocks: list[bytes] = []
        self._cues: list[tuple[int, int]] = []
        self._write_head(width, height)

    def write(self, chunk: Chunk) -> None:
        """Add a frame. Frames come in the order of their times, the first one as a key frame."""
        distance = chunk.timestamp - self._cluster_start
        if self._blocks and (
            chunk.is_key
            or distance > _MAX_CLUSTER_MS
            or sum(map(len, self._blocks)) > _MAX_CLUSTER_BYTES
        ):
            self._write_cluster()
        if not self._blocks:
            self._cluster_start, distance = chunk.timestamp, 0
            if chunk.is_key:
                self._cues.append((chunk.timestamp, self._file.tell() - self._segment_start))
        flags = _KEY_FRAME if chunk.is_key else 0
        head = b"\x81" + struct.pack(">hB", distance, flags)
        self._blocks.append(_element(_SIMPLE_BLOCK, head + chunk.data))

    def complete(self, duration: int) -> None:
        """Write the last frames, the index and the length. The file stays open.

        Args:
            duration: Milliseconds.
        """
        self._write_cluster()
        cues_position = self._file.tell() - self._segment_start
        points = (
            _element(
                _CUE_POINT,
                _number(_CUE_TIME, time),
                _element(_CUE_PLACE, _number(_CUE_TRACK, 1), _number(_CUE_CLUSTER, position)),
            )
            for time, position in self._cues
        )
        self._file.write(_element(_CUES, *points))
        end = self._file.tell()
        self._patch(self._segment_start - 8, struct.pack(">Q", end - self._segment_start | 1 << 56))
        self._patch(self._cues_field, struct.pack(">Q", cues_position))
        self._patch(self._duration_field, struct.pack(">d", duration))
        self._file.seek(end)

    def _write_head(self, width: int, height: int) -> None:
        file = self._file
        file.write(_EBML_HEAD)
        file.write(_id(_SEGMENT) + _UNKNOWN_SIZE)
        self._segment_start = file.tell()
        info = _element(
            _INFO,
            _number(_TIMESTAMP_SCALE, _NANOSECONDS_PER_TICK),
            _element(_MUXING_APP, b"viewpoint-mcp"),
            _element(_WRITING_APP, b"viewpoint-mcp"),
            _element(_DURATION, struct.pack(">d", 0)),  # last, so that its place is known
        )
        video = _element(_VIDEO, _number(_WIDTH, width), _number(_HEIGHT, height))
        tracks = _element(
            _TRACKS,
            _element(
                _TRACK,
                _number(_TRACK_NUMBER, 1),
                _number(_TRACK_UID, 1),
                _number(_TRACK_TYPE, 1),
                _number(_LACING, 0),
                _element(_CODEC_ID, b"V_VP8"),
                video,
            ),
        )
        head_length = len(_seek_head(0, 0))
        file.write(_seek_head(head_length, head_length + len(info)))
        self._cues_field = file.tell() - 8
        file.write(info)
        self._duration_field = file.tell() - 8
        file.write(tracks)

    def _write_cluster(self) -> None:
        if not self._blocks:
            return
        start = _number(_TIMESTAMP, self._cluster_start)
        self._file.write(_element(_CLUSTER, start, *self._blocks))
        self._file.flush()
        self._blocks.clear()

    def _patch(self, position: int, data: bytes) -> None:
        self._file.seek(position)
        self._file.write(data)


def _seek_head(info_position: int, tracks_position: int) -> bytes:
    """Return the table of contents; the last eight bytes are the position of the cues."""
    positions = ((_INFO, info_position), (_TRACKS, tracks_position), (_CUES, 0))
    return _element(
        _SEEK_HEAD,
        *(
            _element(
                _SEEK,
                _element(_SEEK_ID, _id(each)),
                _element(_SEEK_POSITION, struct.pack(">Q", position)),
            )
            for each, position in positions
        ),
    )


def _element(element_id: int, *parts: bytes) -> bytes:
    """Return an element: its id, the size of its content, and the content."""
    content = b"".join(parts)
    return _id(element_id) + struct.pack(">Q", len(content) | 1 << 56) + content


def _number(element_id: int, value: int) -> bytes:
    length = max(1, (value.bit_length() + 7) // 8)
    return _element(element_id, value.to_bytes(length, "big"))


def _id(element_id: int) -> bytes:
    return element_id.to_bytes((element_id.bit_length() + 7) // 8, "big")


_EBML_HEAD: Final = _element(
    _EBML,
    _number(0x4286, 1),  # EBMLVersion
    _number(0x42F7, 1),  # EBMLReadVersion
    _number(0x42F2, 4),  # EBMLMaxIDLength
    _number(0x42F3, 8),  # EBMLMaxSizeLength
    _element(0x4282, b"webm"),  # DocType
    _number(0x4287, 4),  # DocTypeVersion
    _number(0x4285, 2),  # DocTypeReadVersion
)
