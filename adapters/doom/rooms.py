# Copyright 2026 The Reprise Authors.
# SPDX-License-Identifier: Apache-2.0
"""A small level of Doom, made here: two rooms, a door between them, and the
switch that ends the level on the far wall."""

import struct

import wad

_NONE = 0xffff
_DOOR, _EXIT_SWITCH = 1, 11
_PLAYER_START, _ALL_SKILLS = 1, 7
_TWO_SIDED, _BLOCKING = 4, 1
_NODE_IS_SUBSECTOR = 0x8000
_BLOCK = 128

# Sectors from the west to the east, each a box: its ends, floor and ceiling.
# The door is shut.
_BOXES = ((0, 0, 512, 256, 0, 128), (512, 64, 528, 192, 0, 0),
          (528, 0, 784, 256, 0, 128))
# Lines from a corner to another; on their right is the first sector, on their
# left the other one, if there is.
_LINES = (
    ((0, 0), (0, 256), 0, None, 0),
    ((0, 256), (512, 256), 0, None, 0),
    ((512, 256), (512, 192), 0, None, 0),
    ((512, 192), (512, 64), 0, 1, _DOOR),
    ((512, 64), (512, 0), 0, None, 0),
    ((512, 0), (0, 0), 0, None, 0),
    ((512, 192), (528, 192), 1, None, 0),
    ((528, 64), (512, 64), 1, None, 0),
    ((528, 0), (528, 64), 2, None, 0),
    ((528, 64), (528, 192), 2, 1, _DOOR),
    ((528, 192), (528, 256), 2, None, 0),
    ((528, 256), (784, 256), 2, None, 0),
    ((784, 256), (784, 0), 2, None, _EXIT_SWITCH),
    ((784, 0), (528, 0), 2, None, 0),
)


def _segments(corners):
  """Returns the segments of each sector, whose sides the lines are."""
  segments = [[] for _ in _BOXES]
  for number, (a, b, front, back, _) in enumerate(_LINES):
    segments[front].append((a, b, number, 0))
    if back is not None:
      segments[back].append((b, a, number, 1))
  lumps, subsectors = b"", b""
  first = 0
  for sector in segments:
    subsectors += struct.pack("<HH", len(sector), first)
    first += len(sector)
    for a, b, number, side in sector:
      angle = {(0, 1): 0x4000, (0, -1): 0xc000, (1, 0): 0, (-1, 0): 0x8000}[
          ((b[0] > a[0]) - (b[0] < a[0]), (b[1] > a[1]) - (b[1] < a[1]))]
      lumps += struct.pack("<HHHHHH", corners.index(a), corners.index(b), angle,
                           number, side, 0)
  return lumps, subsectors


def _bounds(boxes):
  """Top, bottom, left and right of some boxes."""
  return (max(box[3] for box in boxes), min(box[1] for box in boxes),
          min(box[0] for box in boxes), max(box[2] for box in boxes))


def _nodes():
  """Each cuts off the westernmost sector: what is left of a line that goes up."""
  nodes = b""
  last = _NODE_IS_SUBSECTOR | len(_BOXES) - 1
  for i in range(len(_BOXES) - 2, -1, -1):
    nodes += struct.pack("<hhhh8hHH", _BOXES[i][2], 0, 0, 256,
                         *_bounds(_BOXES[i + 1:]), *_bounds(_BOXES[i:i + 1]),
                         last, _NODE_IS_SUBSECTOR | i)
    last = len(nodes) // 28 - 1
  return nodes


def _block_map():
  """The lines whose bounds touch each block."""
  columns, rows = 784 // _BLOCK + 1, 256 // _BLOCK + 1
  offsets, lists = [], []
  for row in range(rows):
    for column in range(columns):
      offsets.append(4 + columns * rows + len(lists))
      left, bottom = column * _BLOCK, row * _BLOCK
      lists.append(0)
      lists += [number for number, (a, b, *_) in enumerate(_LINES)
                if min(a[0], b[0]) <= left + _BLOCK and
                max(a[0], b[0]) >= left and
                min(a[1], b[1]) <= bottom + _BLOCK and
                max(a[1], b[1]) >= bottom]
      lists.append(_NONE)
  return struct.pack(f"<hh{2 + len(offsets) + len(lists)}H", 0, 0, columns,
                     rows, *offsets, *lists)


def make(lumps):
  """Returns a WAD with the level as MAP01, and the textures and flats of
  another one's lumps."""
  flat = lumps[[name for name, _ in lumps].index("F_START") + 2][0]
  corners = sorted({corner for line in _LINES for corner in line[:2]})
  sides, lines = b"", b""
  for a, b, front, back, special in _LINES:
    flags = _BLOCKING if back is None else _TWO_SIDED
    of_line = [len(sides) // 30, _NONE]
    for i, sector in enumerate(one for one in (front, back)
                               if one is not None):
      of_line[i] = len(sides) // 30
      sides += struct.pack("<hh8s8s8sH", 0, 0, b"-", b"-", b"-", sector)
    lines += struct.pack("<7H", corners.index(a), corners.index(b), flags,
                         special, 0, *of_line)
  segments, subsectors = _segments(corners)
  name = flat.encode("ascii")
  sectors = b"".join(
      struct.pack("<hh8s8shHH", floor, ceiling, name, name, 160, 0, 0)
      for *_, floor, ceiling in _BOXES)
  level = {
      "THINGS": struct.pack("<hhHHH", 64, 128, 0, _PLAYER_START, _ALL_SKILLS),
      "LINEDEFS": lines,
      "SIDEDEFS": sides,
      "VERTEXES": b"".join(struct.pack("<hh", *one) for one in corners),
      "SEGS": segments,
      "SSECTORS": subsectors,
      "NODES": _nodes(),
      "SECTORS": sectors,
      "REJECT": bytes((len(_BOXES) ** 2 + 7) // 8),
      "BLOCKMAP": _block_map(),
  }
  begin = [one for one, _ in lumps].index("MAP01")
  return wad.write(lumps[:begin] + [("MAP01", b"")] + list(level.items()) +
                   lumps[begin + 11:])
